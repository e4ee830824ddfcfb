// What an account may do, as badges.
import type { AccountRecord } from '../../accounts/search.ts';
import { TierBadge } from '../elements/tier.tsx';

export const StandingBadges = ({ role, paid, disabled_at }: AccountRecord) => (
	<span class="badges">
		<TierBadge paid={paid} />
		{role === 'admin' && <span class="badge role-admin">Administrator</span>}
		{disabled_at && <span class="badge status-offline">Disabled</span>}
	</span>
);
