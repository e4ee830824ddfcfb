// The kinds of activity as people say them.
import type { ActivityRecord } from '../../activity/store.ts';

type Kind = ActivityRecord['kind'];

export const kindWords: Record<Kind, string> = {
	'account.created': 'Account created',
	'account.invited': 'Invitation created',
	'account.verified': 'Email address verified',
	'account.reset_link_created': 'Password link created',
	'account.role_changed': 'Role changed',
	'account.disabled': 'Account disabled',
	'account.enabled': 'Account enabled',
	'account.deleted': 'Account deleted',
	'session.created': 'Logged in',
	'session.ended': 'Session ended',
	'session.refused': 'Failed log-in',
	'password.changed': 'Password changed',
	'password.reset': 'Password reset by a link',
	'password.refused': 'Incorrect current password',
	'two_factor.enabled': 'Two-factor authentication enabled',
	'two_factor.disabled': 'Two-factor authentication disabled',
	'two_factor.codes_replaced': 'New recovery codes',
	'key.created': 'API key created',
	'key.replaced': 'API key replaced',
	'key.revoked': 'API key revoked',
	'credits.granted': 'Credits granted',
	'credits.topped_up': 'Credits topped up',
	'base_image.created': 'Base image added',
	'base_image.changed': 'Base image changed',
	'base_image.deleted': 'Base image deleted',
	'board.created': 'Board added',
	'board.changed': 'Board changed',
	'board.retired': 'Board retired',
	'board.maintenance_started': 'Maintenance started',
	'board.maintenance_ended': 'Maintenance ended',
	'boards.imported': 'Boards imported',
	'agent.created': 'Agent added',
	'agent.changed': 'Agent changed',
	'agent.revoked': 'Agent revoked',
	'lease.ended': 'Lease ended by an administrator',
};

/** The details of an entry on one line. */
export function detailsText({ details }: Pick<ActivityRecord, 'details'>) {
	return Object.entries(details)
		.filter(([, value]) => value !== null && value !== '')
		.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${[value].flat().join(', ')}`)
		.join('; ');
}

/** Who made the change, where the account is not known by name. */
export function actorWords({ actor_id, via }: ActivityRecord, own: boolean) {
	if (via === 'command_line') return 'The operator';
	if (via === 'visitor') return own ? 'Not logged in' : 'A visitor';
	if (via === 'service') return 'The service';
	return actor_id ?? 'An administrator';
}

export function isKind(text: string): text is Kind {
	return Object.hasOwn(kindWords, text);
}
