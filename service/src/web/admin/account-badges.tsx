// The tier, role and state of an account, as badges.
import type { AccountRecord } from '../../accounts/search.ts';
import { TierBadge } from '../elements/credits.tsx';

export function AccountBadges({ role, paid, disabled_at, two_factor_at }: AccountRecord) {
	return (
		<span class="badges">
			<TierBadge paid={paid} />
			{role === 'admin' && <span class="badge role-admin">Administrator</span>}
			{two_factor_at && <span class="badge">Two-factor</span>}
			{disabled_at && <span class="badge status-offline">Disabled</span>}
		</span>
	);
}
