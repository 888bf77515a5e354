/** The id in a text of the address: digits without leading zeros, at most nine; null for any other text. */
export const idInText = (text: string | null | undefined): number | null => (text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)
