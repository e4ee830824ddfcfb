// The seam for a payment service.
import { randomUUID } from 'node:crypto';

export interface PaymentProvider {
	/** Takes the payment and names it; throws when it was not made. */
	pay(payment: { accountId: string; credits: number }): Promise<{ reference: string }>;
}

/** Takes no money. Demo mode only. */
export const sandbox: PaymentProvider = {
	pay: async () => ({ reference: `sandbox ${randomUUID()}` }),
};
