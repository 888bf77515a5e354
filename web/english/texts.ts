/** English texts by their Spanish text; `{0}`, `{1}` are the expressions and elements of the source, in order (docs/decisions). */
export type Texts = Readonly<Record<string, string>>
