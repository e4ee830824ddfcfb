// Whom to ask where the service cannot do something by itself.

interface OperatorProps {
	/** An email address, a web address or a plain text. */
	contact: string | undefined;
}

export function Operator({ contact }: OperatorProps) {
	if (!contact) return <>the operator of this service</>;
	const href = contactAddress(contact);
	return href ? <a href={href}>{contact}</a> : <bdi>{contact}</bdi>;
}

function contactAddress(contact: string) {
	if (/^https?:\/\/\S+$/.test(contact)) return contact;
	return /^[^\s@]+@[^\s@]+$/.test(contact) ? `mailto:${contact}` : undefined;
}
