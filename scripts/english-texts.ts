/**
 * Step of `npm run check`: every text of the customers' interface needs an English one (web/english), and so does every sentence that the
 * server writes to customers (contract/english); every English text needs a Spanish one that is still there.
 */
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { labelsInEnglish } from '#contract/english/answers.ts'
import { composedMails, mailsInEnglish, receiptsInEnglish } from '#contract/english/mails.ts'
import { contractInEnglish } from '#contract/english/texts.ts'
import { byFile } from '#web/english/by-file.ts'
import { catalogues, english, ownTexts } from '#web/english/catalogue.ts'
import { notText } from '#web/english/not-text.ts'
import { isTranslated } from './english-build.ts'
import { interfaceTexts } from './interface-texts.ts'
import { MAKES_MESSAGES, NOT_TO_CUSTOMERS, notForCustomers, TO_CUSTOMERS } from './server-texts.ts'

/** HTML and styles of mails; the words in them are texts of their own. */
const isMarkup = (text: string) => /<\/?[a-z!]|^font-family:/.test(text)

const problems: string[] = []
const report = (problem: string) => problems.push(problem)

const used = new Set<string>()
const usedOwn = new Set<string>()
for (const file of globSync(['contract/**/*.ts', 'web/**/*.{ts,tsx}']).map((path) => path.split(sep).join('/')))
  if (isTranslated(file))
    for (const { text } of interfaceTexts(file, readFileSync(file, 'utf8'), ownTexts(file))) {
      used.add(text).add(text.trim())
      usedOwn.add(`${file} ${text}`)
      if (english(file, text) === undefined && english(file, text.trim()) === undefined && !notText.has(text))
        report(
          `${file}: ${JSON.stringify(text)} has no English text. Write it in web/english; if nobody reads it, in web/english/not-text.ts`,
        )
    }

const owner = new Map<string, string>()
for (const [name, texts] of Object.entries({ contract: contractInEnglish, ...catalogues }))
  for (const [spanish, text] of Object.entries(texts)) {
    const first = owner.get(spanish)
    if (first) report(`${name}: ${JSON.stringify(spanish)} is also in ${first}`)
    owner.set(spanish, name)
    if (name !== 'contract' && !used.has(spanish)) report(`${name}: ${JSON.stringify(spanish)} is in no file any more. Delete it`)
    const placeholders = (of: string) => (of.match(/\{\d\}/g) ?? []).sort().join()
    if (placeholders(spanish) !== placeholders(text))
      report(`${name}: ${JSON.stringify(spanish)} and its English have different placeholders`)
  }
for (const text of notText) if (!used.has(text)) report(`not-text: ${JSON.stringify(text)} is in no file any more. Delete it`)
for (const [file, texts] of Object.entries(byFile))
  for (const text of Object.keys(texts))
    if (!usedOwn.has(`${file} ${text}`)) report(`by-file: ${JSON.stringify(text)} is not in ${file} any more. Delete it`)

// What the server writes to customers: mails, notifications, receipts, passes.
const mailTexts = new Set<string>()
const written: Readonly<Record<string, string>> = { ...contractInEnglish, ...labelsInEnglish, ...mailsInEnglish, ...receiptsInEnglish }
for (const file of TO_CUSTOMERS)
  for (const { text } of interfaceTexts(file, readFileSync(file, 'utf8')).filter(({ text }) => !isMarkup(text))) {
    mailTexts.add(text)
    if (written[text] === undefined && !notForCustomers.has(text))
      report(
        `${file}: ${JSON.stringify(text)} has no English text. Write it in contract/english/mails.ts; if no customer reads it, in scripts/server-texts.ts`,
      )
  }
for (const spanish of Object.keys({ ...mailsInEnglish, ...receiptsInEnglish }))
  if (!mailTexts.has(spanish) && !composedMails.has(spanish)) report(`mails: ${JSON.stringify(spanish)} is in no file any more. Delete it`)
for (const text of notForCustomers)
  if (!mailTexts.has(text)) report(`server-texts: ${JSON.stringify(text)} is in no file any more. Delete it`)
for (const file of globSync('server/**/*.ts').map((path) => path.split(sep).join('/')))
  if (!/\.test\.ts$|^server\/(?:testing|demo)\//.test(file) && !TO_CUSTOMERS.includes(file) && !NOT_TO_CUSTOMERS.has(file))
    if (MAKES_MESSAGES.test(readFileSync(file, 'utf8'))) report(`${file} makes messages. Name it in scripts/server-texts.ts`)

for (const problem of problems) console.log(problem)
process.exit(problems.length > 0 ? 1 : 0)
