/** Work on a large photo leaves the main thread free for other requests. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longestBlock, MAX_BLOCKED_MS } from '#server/testing/main-thread.ts'
import { plain } from '#server/testing/uploads.ts'
import { remakeImage } from './images.ts'

test('converting a photo of 12 megapixels blocks no other request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'estudio-photo-'))
  const path = join(folder, 'foto.jpg')
  await writeFile(path, await plain(4_000, 3_000).jpeg().toBuffer())
  let picture: Awaited<ReturnType<typeof remakeImage>> | null = null
  const longest = await longestBlock(async () => {
    picture = await remakeImage(path, 'image/jpeg')
  })
  await rm(folder, { recursive: true })
  expect(picture).toMatchObject({ type: 'image/jpeg' })
  expect(longest).toBeLessThan(MAX_BLOCKED_MS)
})
