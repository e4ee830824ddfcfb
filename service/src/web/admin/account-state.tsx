// What an account may do, as badges.
import type { AccountRecord } from '../../accounts/search.ts';
import { TierBadge } from '../elements/tier.tsx';

export function AccountBadges({ role, paid, disabled_at }: AccountRecord) {
	return (
		<span class="badges">
			<TierBadge paid={paid} />
			{role === 'admin' && <span class="badge role-admin">Administrator</span>}
			{disabled_at && <span class="badge status-offline">Disabled</span>}
		</span>
	);
}
