// The interface for a payment service.

export interface Payment {
	accountId: string;
	credits: number;
	/** The same one for every attempt at this payment, so that it is made once. */
	idempotencyKey: string;
}

export interface PaymentProvider {
	/** Takes the payment once for each idempotency key and names it; throws if it was not made. */
	pay(payment: Payment): Promise<{ reference: string }>;
}

/** Takes no money. Demo mode only. */
export const sandbox: PaymentProvider = {
	pay: async ({ idempotencyKey }) => ({ reference: `sandbox ${idempotencyKey}` }),
};
