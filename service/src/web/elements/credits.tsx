// Credits and the tier that they give.

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
