// Whom to ask where the service cannot do something by itself.
import type { Account } from '../../accounts/store.ts';

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
