/** Frequently asked questions: a page whose text is headings, each with its answer below. */

export interface Question {
  question: string
  /** HTML of the editor */
  answer: string
}

const HEADING = /<h2>([\s\S]*?)<\/h2>/gi
const VOID = ['br', 'hr', 'img']
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const plain = (html: string): string =>
  html
    .replace(/&(?:#(\d+)|([a-z]+));/gi, (all, code: string | undefined, name: string | undefined) =>
      code ? String.fromCodePoint(Number(code)) : (NAMED[(name ?? '').toLowerCase()] ?? all),
    )
    .replace(/\s+/g, ' ')
    .trim()

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Whether every element of a fragment begins and ends in it. */
function isWhole(html: string): boolean {
  const open: string[] = []
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/gi)) {
    const tag = name.toLowerCase()
    if (VOID.includes(tag)) continue
    if (slash !== '/') open.push(tag)
    else if (open.pop() !== tag) return false
  }
  return open.length === 0
}

/** The questions of a text; null when it is more than questions and answers, and has to be edited as a text. */
export function readQuestions(html: string): Question[] | null {
  if (html.trim() === '') return []
  if (/<(?!\/?[a-z])/i.test(html)) return null
  const [before = '', ...rest] = html.split(HEADING)
  if (before.trim() !== '' || rest.length === 0) return null
  const questions: Question[] = []
  for (let at = 0; at < rest.length; at += 2) {
    const [heading = '', answer = ''] = [rest[at], rest[at + 1]?.trim()]
    if (heading.includes('<') || plain(heading) === '' || /<\/?h[12]\b/i.test(answer) || !isWhole(answer)) return null
    questions.push({ question: plain(heading), answer })
  }
  return questions
}

/** The text of the page. */
export const writeQuestions = (questions: readonly Question[]): string =>
  questions.map(({ question, answer }) => `<h2>${escaped(question)}</h2>\n${answer}`).join('\n')
