/** The key file of all tests on this machine: the processes of one test, and studios on copies of one database, need the same. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMasterKeys, readMasterKeys } from '#server/platform/master-keys.ts'
import { type SecretBox, secretBox } from '#server/platform/secret-box.ts'

/** Its path; makes it the first time. */
export function testMasterKeys(): string {
  const file = join(tmpdir(), `estudio-master-keys-${process.getuid?.() ?? 0}.txt`)
  if (!readMasterKeys(file)) makeMasterKeys(file)
  return file
}

/** Opens and seals as every studio under test does. */
export const testSecretBox = (): SecretBox => secretBox(readMasterKeys(testMasterKeys()) ?? [])
