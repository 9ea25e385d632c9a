/** The fields of a payment that an erasure replaces; apart from the other tables, because every function that stores payments has them. */
export const erasedPayment = { description: null, method_details: null } as const;
