/** A text without accents and in lower case, for comparing names: "Íñigo" is "inigo". */
export const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
