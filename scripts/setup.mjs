// Installs the lockfile's packages and builds the pages, each only when needed. Runs under Node 20 without installed packages.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { copyEarlierAssets } from './earlier-assets.mjs'
import { captured, modules, pinned, root, run, stop, tool, windows } from './processes.mjs'

/** Installs the lockfile's packages, unless they are installed. */
export async function install() {
  if (!isInstalled()) {
    console.log('Instalando lo que falta (una sola vez, cerca de un minuto)...')
    const npm = process.env.npm_execpath
    const [program, before] = npm && /npm-cli\.c?js$/.test(basename(npm)) ? [process.execPath, [npm]] : ['npm', []]
    // NODE_ENV=production or a saved `omit` setting would leave out the packages for building and testing.
    const args = [...before, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    if ((await run(program, args, { shell: windows && before.length === 0 })) !== 0)
      stop('No se pudo instalar: arriba está la razón. Vuelve a intentarlo con conexión a internet.')
  }
  // npm may be configured not to run install scripts, without which the Node package is empty.
  if (!existsSync(pinned)) await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(modules, 'node') })
  if (!existsSync(pinned)) stop(`Falta ${pinned}. Borra node_modules y vuelve a intentarlo.`)
}

/** Compares npm's record of the installed packages with the lockfile, so that a manual `npm install` is detected too. */
function isInstalled() {
  let have
  try {
    have = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages
  } catch {
    return false
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(([path, wanted]) => {
    if (path === '') return true
    const found = have[path]
    if (found) return found.version === wanted.version && found.integrity === wanted.integrity
    // Optional packages may be for another platform. Those for this platform must be installed.
    const ours = wanted.os?.includes(process.platform) && wanted.cpu?.includes(process.arch) && !wanted.libc
    return wanted.optional === true && !ours
  })
}

/** Builds the web part unless `build/` was made from exactly these sources; a failed build ends the process. */
export async function build(options) {
  const { failed, output } = await tryBuild(options)
  if (failed) stop(output)
}

/** The same for callers that continue after a failed build: whether it failed, and its output. */
export async function tryBuild({ force = false } = {}) {
  const mark = join(root, 'build/.sources')
  if (force) rmSync(mark, { force: true })
  const now = hashOfSources()
  if (existsSync(join(root, 'build/english/server/index.js')) && existsSync(mark) && readFileSync(mark, 'utf8') === now)
    return { failed: false, output: '' }
  console.log('Construyendo las páginas...')
  copyEarlierAssets(root)
  // The English build adds its files to those of the Spanish one.
  for (const PAGES_LANGUAGE of ['es-MX', 'en']) {
    const { code, output } = await captured([tool.reactRouter, 'build'], { NODE_ENV: 'production', PAGES_LANGUAGE })
    if (code !== 0) return { failed: true, output: `${output}\nNo se pudieron construir las páginas.` }
  }
  writeFileSync(mark, now)
  return { failed: false, output: '' }
}

function hashOfSources() {
  const hash = createHash('sha256')
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  for (const file of ['package-lock.json', ...withScripts(['vite.config.ts', 'react-router.config.ts'])]) add(file)
  for (const folder of ['contract', 'public', 'web']) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort())
      if (/\.\w+$/.test(name) && !/\.test\.\w+$/.test(name)) add(join(folder, name))
  }
  return hash.digest('hex')
}

/** Files with the files of scripts/ that they import, directly or through each other. */
function withScripts(files, found = new Set()) {
  for (const file of files) {
    if (found.has(file)) continue
    found.add(file)
    const imported = [...readFileSync(join(root, file), 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(
      ([, from]) => relative(root, join(root, dirname(file), from)).replaceAll('\\', '/'),
    )
    withScripts(
      imported.filter((path) => path.startsWith('scripts/')),
      found,
    )
  }
  return [...found].sort()
}
