// The interface for a payment service.
import { randomUUID } from 'node:crypto';

export interface PaymentProvider {
	/** Takes the payment and returns its reference; throws if it failed. */
	pay(payment: { accountId: string; credits: number }): Promise<{ reference: string }>;
}

/** Takes no money. Demo mode only. */
export const sandbox: PaymentProvider = {
	pay: async () => ({ reference: `sandbox ${randomUUID()}` }),
};
