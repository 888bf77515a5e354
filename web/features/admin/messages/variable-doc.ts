/** A text with variables as a document of paragraphs, and back. Pure: what is saved is the text, with each variable as {{nombre}}. */

export interface Variable {
  key: string
  label: string
}

type Inline = { type: 'text'; text: string } | { type: 'variable'; attrs: { source: string; label: string } }
export interface VariableDoc {
  type: 'doc'
  content: { type: 'paragraph'; content?: Inline[] }[]
}

/** A variable as it is written: {{nombre}}, with or without spaces. */
export const WRITTEN = /\{\{\s*([^{}]*?)\s*\}\}/

/** The variable that some written text is; undefined for a key that the message does not have, which stays text. */
export function variableOf(source: string, variables: readonly Variable[]): Variable | undefined {
  const key = WRITTEN.exec(source)?.[1]
  return variables.find((variable) => variable.key === key)
}

function inlineOf(line: string, variables: readonly Variable[]): Inline[] {
  return line.split(/(\{\{[^{}]*\}\})/).reduce<Inline[]>((all, part) => {
    const variable = variableOf(part, variables)
    const last = all.at(-1)
    if (variable) all.push({ type: 'variable', attrs: { source: part, label: variable.label } })
    else if (last?.type === 'text') last.text += part
    else if (part !== '') all.push({ type: 'text', text: part })
    return all
  }, [])
}

/** One paragraph for each line. */
export const toVariableDoc = (text: string, variables: readonly Variable[]): VariableDoc => ({
  type: 'doc',
  content: text.split('\n').map((line) => {
    const content = inlineOf(line, variables)
    return content.length > 0 ? { type: 'paragraph', content } : { type: 'paragraph' }
  }),
})

export const toVariableText = ({ content }: VariableDoc): string =>
  content.map((line) => (line.content ?? []).map((part) => (part.type === 'text' ? part.text : part.attrs.source)).join('')).join('\n')
