// Names, times, amounts, facts and icons, as every page writes them.
import type { Member } from 'board-access-core';
import type { Child } from 'hono/jsx';

export function PageHead({
	title,
	lead,
	actions,
}: {
	title: Child;
	lead?: Child;
	actions?: Child;
}) {
	return (
		<div class="page-head">
			<div>
				<h1>{title}</h1>
				{lead && <p class="lead">{lead}</p>}
			</div>
			{actions && <div class="actions">{actions}</div>}
		</div>
	);
}

export type Fact = readonly [name: string, value: Child];

/** A name of the API as words: "In use" for `in_use`. */
export function inWords(name: string) {
	const words = name.replace(/[._]/g, ' ');
	return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A list of facts. Those that do not apply are false or null. */
export function Facts({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) {
	return (
		<dl class="facts">{facts.map((fact) => fact && [<dt>{fact[0]}</dt>, <dd>{fact[1]}</dd>])}</dl>
	);
}

export function Name({ children }: { children: string }) {
	return <bdi>{children}</bdi>;
}

export function StrongName({ text, struck }: { text: string; struck?: boolean }) {
	return (
		<strong class={struck ? 'struck' : undefined}>
			<Name>{text}</Name>
		</strong>
	);
}

/** A line of small text, if there is one. */
export function Note({ text }: { text: string | null }) {
	return text ? (
		<p class="muted small">
			<Name>{text}</Name>
		</p>
	) : null;
}

/** A line of small text with an identifier or an address, if there is one. */
export function CodeNote({ text, before }: { text: string | null | undefined; before?: string }) {
	return text ? (
		<p class="small">
			{before} <code>{text}</code>
		</p>
	) : null;
}

export function NameLink({ href, name }: { href: string; name: string }) {
	return (
		<a href={href}>
			<Name>{name}</Name>
		</a>
	);
}

export function BoardLink({ id, name }: { id: string; name: string }) {
	return <NameLink href={`/boards/${encodeURIComponent(id)}`} name={name} />;
}

/** The type of a board, linked to all boards of the type. */
export function TypeLink({ type, plain }: { type: string; plain?: boolean }) {
	return (
		<a
			class={plain ? 'plain' : undefined}
			href={`/boards?${new URLSearchParams({ board_type: type })}`}
		>
			<code dir="auto">{type}</code>
		</a>
	);
}

const units = [
	['year', 365 * 24 * 60 * 60],
	['month', 30 * 24 * 60 * 60],
	['week', 7 * 24 * 60 * 60],
	['day', 24 * 60 * 60],
	['hour', 60 * 60],
	['minute', 60],
] as const;

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago: "3 minutes ago", "yesterday". */
export function relativeTime(moment: string, now = Date.now()) {
	const seconds = Math.round((Date.parse(moment) - now) / 1000);
	const unit = units.find(([, length]) => Math.abs(seconds) >= length);
	return unit ? format.format(Math.trunc(seconds / unit[1]), unit[0]) : 'just now';
}

export function Time({ at }: { at: string | null }) {
	if (at === null) return <span class="muted">Never</span>;
	return (
		<time datetime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
			{relativeTime(at)}
		</time>
	);
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const halfDay = 12 * 60 * 60 * 1000;

/** A time of day, with the date if it is not near. A script shows it in the time zone of the visitor. */
export function Clock({ at }: { at: string | number }) {
	const date = new Date(at);
	const time = date.toISOString();
	const isNear = Math.abs(date.getTime() - Date.now()) < halfDay;
	return (
		<time datetime={time} data-clock="minutes">
			{`${isNear ? '' : `${day.format(date)}, `}${time.slice(11, 16)} UTC`}
		</time>
	);
}

export function Since({ at }: { at: string }) {
	return ['since ', <Clock at={at} />];
}

/** A time of day with seconds. A script shows it in the time zone of the visitor. */
export function ClockTime({ at }: { at: string }) {
	return (
		<time datetime={at} data-clock>
			{at.slice(11, 19)}
		</time>
	);
}

export function TierBadge({ paid }: { paid: boolean }) {
	return <span class={paid ? 'badge tier-paid' : 'badge'}>{paid ? 'Paid tier' : 'Free tier'}</span>;
}

export function Credits({ amount }: { amount: number }) {
	return (
		<span class="number">
			{`${amount.toLocaleString('en')} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`}
		</span>
	);
}

interface OperatorProps {
	/** An email address, a web address or a plain text. */
	contact: string | undefined;
}

export function Operator({ contact }: OperatorProps) {
	if (!contact) return <>the operator of this service</>;
	if (/^https?:\/\/\S+$/.test(contact)) return <a href={contact}>{contact}</a>;
	if (/^[^\s@]+@[^\s@]+$/.test(contact)) return <a href={`mailto:${contact}`}>{contact}</a>;
	return <bdi>{contact}</bdi>;
}

interface AskForCreditsProps extends OperatorProps {
	account: Pick<Member, 'id' | 'role'>;
}

/** An administrator is the operator, and grants credits. */
export function AskForCredits({ account: { id, role }, contact }: AskForCreditsProps) {
	if (role !== 'admin') return ['Ask ', <Operator contact={contact} />, ' to grant you credits'];
	const ownPage = <a href={`/admin/accounts/${id}`}>the page of your account</a>;
	return <>Grant yourself credits on {ownPage}</>;
}

/** A hint such as "Top up credits at https://…" as a link with its words. */
export function withLink(hint = '') {
	const [, words, address] = /^(.+) at (https?:\/\/\S+)$/.exec(hint) ?? [];
	return address ? <a href={address}>{words}</a> : hint;
}

/** Text in which backticks mark code, as in the OpenAPI document. */
export function withCode(text: string) {
	return text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part));
}

// Icons are in the color of their text; the words next to them carry the meaning.
const iconPaths = {
	board:
		'M7 7h10v10H7zM10 10h4v4h-4zM9 7V4M12 7V4M15 7V4M9 20v-3M12 20v-3M15 20v-3M7 9H4M7 12H4M7 15H4M20 9h-3M20 12h-3M20 15h-3',
	check: 'M5 12.5l4.5 4.5L19 7.5',
	flash: 'M13 3L5 13.5h6L10.5 21 19 10.5h-6z',
	reset: 'M6.5 8A7.5 7.5 0 1 1 4.5 13M4.5 4v4.5H9',
	power: 'M12 4v8M7.5 7a7 7 0 1 0 9 0',
	release: 'M9 4H5v16h4M10 12h10M16 8l4 4-4 4',
	alert: 'M12 8v5M12 16.5v.5M12 3.5L21.5 20h-19z',
	down: 'M7 10l5 5 5-5',
	right: 'M10 7l5 5-5 5',
	key: 'M14.5 9.5a4.5 4.5 0 1 0-3.6 4.4l1.6 1.6h2v2h2v2h3v-3.2l-5.2-5.2c.1-.5.2-1 .2-1.6zM9 8.5v.5',
	plus: 'M12 5v14M5 12h14',
	search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.5 15.5L20 20',
	coins:
		'M12 9c4 0 7-1.3 7-3s-3-3-7-3-7 1.3-7 3 3 3 7 3zM5 6v6c0 1.7 3 3 7 3s7-1.3 7-3V6M5 12v6c0 1.7 3 3 7 3s7-1.3 7-3v-6',
} as const;

export type IconName = keyof typeof iconPaths;

export function Icon({ name }: { name: IconName }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
			<path d={iconPaths[name]} />
		</svg>
	);
}
