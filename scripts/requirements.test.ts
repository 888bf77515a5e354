import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('./requirements.mjs', import.meta.url))
const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true })
})

/** Built at run time, so that the real document's check does not read these ids as citations. */
const id = (number: string) => `S${1}-1.${number}`
const DOCUMENT = [
  '# Requirements',
  ...['01', '02', '03', '04'].map((number) => `- **${id(number)}** Statement ${number}.`),
  '## Without a test',
  `- ${id('04')}: nothing to see`,
  '',
].join('\n')

function tree(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'estudio-requirements-'))
  trees.push(root)
  for (const [file, text] of Object.entries({ 'docs/requirements.md': DOCUMENT, ...files })) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return {
    run(...args: string[]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args, root], { encoding: 'utf8' })
      return { code: status, output: stdout + stderr }
    },
    document: () => readFileSync(join(root, 'docs/requirements.md'), 'utf8'),
  }
}

const CITED = { 'server/a.test.ts': `// ${id('01')}`, 'e2e/b.spec.ts': `test('x (${id('01')} to ${id('03')})')` }

test('the test files that cite a requirement are listed below it, ranges written out', () => {
  const { run, document } = tree(CITED)
  expect(run('--check')).toEqual({ code: 1, output: expect.stringContaining('out of date') })
  expect(run().code).toBe(0)
  expect(document()).toContain(`Statement 01.\n  Tests: \`e2e/b.spec.ts\`, \`server/a.test.ts\`\n- **${id('02')}**`)
  expect(document()).toContain('Statement 03.\n  Tests: `e2e/b.spec.ts`\n')
  expect(run('--check')).toEqual({ code: 0, output: expect.stringContaining('4 requirements, 1 of them without a test') })
})

test('a cited id that does not exist, a requirement without a test and a reason that is out of date are refused', () => {
  expect(tree({ ...CITED, 'web/c.ts': `// ${id('77')}` }).run().output).toContain(`web/c.ts: cites ${id('77')}`)
  expect(tree({ 'server/a.test.ts': `// ${id('01')} to ${id('02')}` }).run()).toEqual({
    code: 1,
    output: expect.stringContaining(`no test cites ${id('03')}`),
  })
  expect(tree({ ...CITED, 'server/d.test.ts': `// ${id('04')}` }).run().output).toContain('but server/d.test.ts cites it')
})
