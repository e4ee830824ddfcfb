// Credits and the tier that they give.

export const TierBadge = ({ paid }: { paid: boolean }) => (
	<span class={paid ? 'badge tier-paid' : 'badge'}>{paid ? 'Paid tier' : 'Free tier'}</span>
);

export const Credits = ({ amount }: { amount: number }) => (
	<span class="number">
		{`${amount.toLocaleString('en')} ${Math.abs(amount) === 1 ? 'credit' : 'credits'}`}
	</span>
);
