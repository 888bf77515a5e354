// Files of earlier builds that open pages still load: a dialog of a page that was opened before a release is in a file which the new build
// replaced. The server looks for them after the files of the current build (server/documents/build.ts).
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** How long after it was replaced a file is served: longer than a tab usually stays open. */
const DAYS = 14
/** A machine that builds many times a day keeps the newest files only; a build has about 2,300. */
const MOST_FILES = 12_000

/**
 * Copies the files of the current build before the next one empties its folder, and deletes the oldest copies. A file's time is that of
 * the copy.
 */
export function copyEarlierAssets(root, now = new Date()) {
  const assets = join(root, 'build/client/assets')
  const earlier = join(root, 'build/earlier')
  if (!existsSync(assets)) return
  mkdirSync(earlier, { recursive: true })
  for (const name of readdirSync(assets)) {
    copyFileSync(join(assets, name), join(earlier, name))
    utimesSync(join(earlier, name), now, now)
  }
  const oldest = now.getTime() - DAYS * 86_400_000
  readdirSync(earlier)
    .map((name) => ({ name, at: statSync(join(earlier, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .filter(({ at }, index) => at < oldest || index >= MOST_FILES)
    .forEach(({ name }) => {
      rmSync(join(earlier, name))
    })
}
