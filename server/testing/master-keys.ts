/** The master key file of all tests on this machine: the processes of one test, and studios on copies of one database, share it. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMasterKeys, readMasterKeys } from '#server/platform/master-keys.ts'
import { type SecretBox, secretBox } from '#server/platform/secret-box.ts'

/** The path of the file; creates it on first use. */
export function testMasterKeys(): string {
  const file = join(tmpdir(), `estudio-master-keys-${process.getuid?.() ?? 0}.txt`)
  if (!readMasterKeys(file)) makeMasterKeys(file)
  return file
}

/** The secret box of every studio under test. */
export const testSecretBox = (): SecretBox => secretBox(readMasterKeys(testMasterKeys()) ?? [])
