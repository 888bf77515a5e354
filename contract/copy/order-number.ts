/** "001284": the number of an order, a sale or a count of a till, of six digits or more. */
export const paddedNumber = (id: number): string => String(id).padStart(6, '0')

/** "#001284": the number of an order. */
export const orderNumber = (purchase_id: number): string => `#${paddedNumber(purchase_id)}`
