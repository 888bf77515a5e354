/** The language of automatic messages to customers (docs/domain.md G13). Pure. */
import { mailInEnglish } from '#contract/english/answers.ts'
import type { MessageTexts } from './tables.ts'

/** The product's words in English; a message whose title has no English stays Spanish as a whole. */
export function textsInEnglish(texts: MessageTexts): MessageTexts {
  const title = mailInEnglish(texts.title)
  if (title === texts.title) return texts
  const { subject, lines, notes, action } = texts
  return {
    ...texts,
    language: 'en',
    title,
    ...(subject === undefined ? {} : { subject: mailInEnglish(subject) }),
    lines: lines.map(mailInEnglish),
    notes: notes.map(mailInEnglish),
    action: action && { ...action, label: mailInEnglish(action.label) },
  }
}
