/** The pairings of title and text letters that come with the product. Without their files: those are in web/lib/fonts.server.ts. */

export const FONT_PAIRS = ['archivo', 'bricolage', 'sora', 'space', 'outfit', 'jost', 'syne', 'lora'] as const
export type FontPair = (typeof FONT_PAIRS)[number]
