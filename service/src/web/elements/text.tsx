// Names, times, amounts and facts, as every page writes them.
import type { Child } from 'hono/jsx';
import type { Account } from '../../accounts/store.ts';

interface PageHeadProps {
	title: Child;
	lead?: Child;
	children?: Child;
}

export function PageHead({ title, lead, children }: PageHeadProps) {
	return (
		<div class="page-head">
			<div>
				<h1>{title}</h1>
				{lead && <p class="lead">{lead}</p>}
			</div>
			{children && <div class="actions">{children}</div>}
		</div>
	);
}

export type Fact = readonly [name: string, value: Child];

/** Those that do not apply are false or null. */
export function Facts({ facts }: { facts: readonly (Fact | false | null | undefined)[] }) {
	return (
		<dl class="facts">
			{facts.map(
				(fact) =>
					fact && (
						<>
							<dt>{fact[0]}</dt>
							<dd>{fact[1]}</dd>
						</>
					),
			)}
		</dl>
	);
}

export function Name({ children }: { children: string }) {
	return <bdi>{children}</bdi>;
}

/** A name that stands out. */
export function StrongName({ text, struck }: { text: string; struck?: boolean }) {
	return (
		<strong class={struck ? 'struck' : undefined}>
			<Name>{text}</Name>
		</strong>
	);
}

/** A line below, where there is one. */
export function Note({ text }: { text: string | null }) {
	return text ? (
		<p class="muted small">
			<Name>{text}</Name>
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

/** The type of a board; a link to the boards of the type. */
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
	const href = contactAddress(contact);
	return href ? <a href={href}>{contact}</a> : <bdi>{contact}</bdi>;
}

interface AskForCreditsProps extends OperatorProps {
	account: Pick<Account, 'id' | 'role'>;
}

/** An administrator is the operator, and grants credits. */
export function AskForCredits({ account: { id, role }, contact }: AskForCreditsProps) {
	return role === 'admin' ? (
		<>
			Grant yourself credits on <a href={`/admin/accounts/${id}`}>the page of your account</a>
		</>
	) : (
		<>
			Ask <Operator contact={contact} /> to grant you credits
		</>
	);
}

function contactAddress(contact: string) {
	if (/^https?:\/\/\S+$/.test(contact)) return contact;
	return /^[^\s@]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : undefined;
}
