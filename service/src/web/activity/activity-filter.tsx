// Narrows the activity of all accounts down to one account or one kind.
import { activityKinds } from 'board-access-contract';
import { Icon } from '../elements/icon.tsx';
import { kindWords } from './words.ts';

interface ActivityFilterProps {
	account: string;
	kind: (typeof activityKinds)[number] | undefined;
}

export function ActivityFilterForm({ account, kind }: ActivityFilterProps) {
	return (
		<search>
			<form class="toolbar" method="get" action="/admin/activity">
				<div class="search">
					<Icon name="search" />
					<label class="unseen" for="account">
						Account
					</label>
					<input
						id="account"
						name="account"
						type="search"
						value={account}
						placeholder="Email address or account id…"
						maxlength={200}
					/>
				</div>
				<label class="unseen" for="kind">
					Kind
				</label>
				<select id="kind" name="kind">
					<option value="">Every kind</option>
					{activityKinds.map((name) => (
						<option value={name} selected={name === kind}>
							{kindWords[name]}
						</option>
					))}
				</select>
				<button type="submit" class="button">
					Filter
				</button>
			</form>
		</search>
	);
}
