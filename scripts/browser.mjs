// Finds a Chromium for the browser tests. Runs under Node 20 without installed packages.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The shell first: it draws the same pages and starts no processes for windows, which saves a fifth of the suite's time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]
const INSTALLED_AT = {
  linux: ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'].flatMap((folder) => NAMES.map((name) => join(folder, name))),
  darwin: ['', homedir()].flatMap((home) =>
    ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `${home}/Applications/${name}.app/Contents/MacOS/${name}`),
  ),
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .flatMap((key) => process.env[key] ?? [])
    .flatMap((folder) => [join(folder, 'Google/Chrome/Application/chrome.exe'), join(folder, 'Microsoft/Edge/Application/msedge.exe')]),
}
/** Where Playwright stores the browsers that it downloads. */
const CACHES = {
  linux: join(homedir(), '.cache/ms-playwright'),
  darwin: join(homedir(), 'Library/Caches/ms-playwright'),
  win32: join(process.env.LOCALAPPDATA ?? homedir(), 'ms-playwright'),
}

/** The path of a browser that starts, or null. `install` is called when there is none; CHROMIUM_PATH takes precedence. */
export async function findBrowser({ install }) {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    if (starts(configured)) return configured
    console.error(`CHROMIUM_PATH=${configured} does not start.`)
    return null
  }
  const found = candidates().find(starts)
  if (found) return found
  console.log('No Chromium found: asking Playwright to install one...')
  await install()
  return downloaded().find(starts) ?? null
}

function candidates() {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...(INSTALLED_AT[process.platform] ?? []), ...onPath, ...downloaded()]
}

function downloaded() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH || CACHES[process.platform]
  if (!cache || !existsSync(cache)) return []
  const versions = readdirSync(cache).filter((name) => name.startsWith('chromium'))
  return versions.flatMap((version) =>
    readdirSync(join(cache, version)).flatMap((folder) =>
      ['chrome', 'headless_shell', 'chrome-headless-shell', 'chrome.exe', 'headless_shell.exe', 'Chromium.app/Contents/MacOS/Chromium'].map(
        (program) => join(cache, version, folder, program),
      ),
    ),
  )
}

function starts(program) {
  // On Windows `--version` opens a window.
  return existsSync(program) && (process.platform === 'win32' || spawnSync(program, ['--version'], { timeout: 20_000 }).status === 0)
}
