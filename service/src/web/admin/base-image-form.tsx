// The form for a base image, with help for the offset, which is the most common mistake.
import type { ApiError } from '../../errors.ts';
import { Field, FormAlert, TextArea } from '../elements/field.tsx';
import { FormToken } from '../elements/form-token.tsx';
import { requestExamples } from '../elements/request-examples.ts';
import { SameRequest } from '../elements/same-request.tsx';
import { OffsetHelp } from './offset-help.tsx';

export const baseImageFields = [
	'action',
	'board_type',
	'name',
	'description',
	'url',
	'flash_offset',
	'position',
	'enabled',
] as const;

export type BaseImageValues = Record<(typeof baseImageFields)[number], string>;

interface BaseImageFormProps {
	/** Absent for a new entry. */
	id: string | undefined;
	values: BaseImageValues;
	error: ApiError | undefined;
	types: string[];
	baseUrl: string;
}

const labels = {
	action: 'Action',
	board_type: 'Board type',
	name: 'Name',
	description: 'Description',
	url: 'Image address',
	flash_offset: 'Flash offset',
	position: 'Position',
};

export function BaseImageForm({ id, values, error, types, baseUrl }: BaseImageFormProps) {
	return (
		<>
			<section class="card medium">
				<h1>{id ? 'Edit a base image' : 'Add a base image'}</h1>
				<p class="lead">
					A flash or an erase action that prepares the boards of one type for each lease.
				</p>
				<form method="post" action={id ? `/admin/base-images/${id}` : '/admin/base-images'}>
					<FormAlert error={error} />
					<FormToken />
					<ActionChoice action={values.action} />
					<div class="pair">
						<Field
							name="board_type"
							label={labels.board_type}
							value={values.board_type}
							error={error}
							help="The type exactly as your boards have it."
							input={{ list: 'board-types', maxlength: 100, autocomplete: 'off' }}
						/>
						<datalist id="board-types">
							{types.map((type) => (
								<option value={type} />
							))}
						</datalist>
						<Field
							name="name"
							label={labels.name}
							value={values.name}
							error={error}
							help="For example “Bootloader”."
							input={{ maxlength: 200, autocomplete: 'off' }}
						/>
					</div>
					<Field
						name="url"
						label={labels.url}
						value={values.url}
						error={error}
						help="The http or https address of the image."
						class="flash-only"
						input={{ required: false, type: 'url', maxlength: 2048, autocomplete: 'off' }}
					/>
					<div class="pair">
						<Field
							name="flash_offset"
							label={labels.flash_offset}
							value={values.flash_offset}
							error={error}
							help="Where the image starts: 0x and hex digits, or a decimal number."
							class="flash-only"
							input={{ required: false, maxlength: 12, autocomplete: 'off', spellcheck: 'false' }}
						/>
						<Field
							name="position"
							label={labels.position}
							value={values.position}
							error={error}
							help="0 runs first. Leave it empty to run last."
							optional
							input={{ inputmode: 'numeric', maxlength: 10, autocomplete: 'off' }}
						/>
					</div>
					<div class="flash-only">
						<OffsetHelp />
					</div>
					<TextArea
						name="description"
						label={labels.description}
						value={values.description}
						error={error}
						optional
						input={{ rows: 2, maxlength: 2000 }}
					/>
					<label class="check">
						<input type="checkbox" name="enabled" value="on" checked={values.enabled === 'on'} />
						Enabled
					</label>
					<div class="actions">
						<button type="submit" class="button primary">
							{id ? 'Save' : 'Add base image'}
						</button>
						<a class="button" href="/admin/base-images">
							Cancel
						</a>
					</div>
				</form>
			</section>
			{!id && <SameRequest examples={createImageRequest(baseUrl)} />}
		</>
	);
}

function ActionChoice({ action }: { action: string }) {
	return (
		<fieldset class="choice" id="action">
			<legend>{labels.action}</legend>
			<label>
				<input type="radio" name="action" value="flash" checked={action !== 'erase'} />
				<span>
					<strong>Flash</strong> writes an image at the offset
				</span>
			</label>
			<label>
				<input type="radio" name="action" value="erase" checked={action === 'erase'} />
				<span>
					<strong>Erase</strong> clears the flash
				</span>
			</label>
		</fieldset>
	);
}

export function createImageRequest(baseUrl: string) {
	const url = 'https://images.example.com/app.bin';
	return requestExamples({
		baseUrl,
		method: 'POST',
		path: '/v1/admin/base-images',
		json: { action: 'flash', board_type: 'esp32-s3', name: 'App', url, flash_offset: '0x10000' },
		cli: [
			...['admin', 'base-images', 'create', '--action', 'flash', '--board-type', 'esp32-s3'],
			...['--name', 'App', '--url', url, '--flash-offset', '0x10000'],
		],
		typescript: `const image = await client.admin.baseImages.create({
  action: 'flash',
  boardType: 'esp32-s3',
  name: 'App',
  url: '${url}',
  flashOffset: '0x10000',
});`,
	});
}
