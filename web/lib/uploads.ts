/** Uploads a file before the record that names it is saved (S2-4.30). */
import { api } from './api.ts'
import { toFailure } from './errors.ts'

/**
 * Uploads a file and returns its id. A refusal of the file (type, size, quota) becomes an issue of `field`, so that the form shows
 * it there.
 */
export async function sendFile(field: string, file: File): Promise<{ file_id: number }> {
  try {
    const { file_id } = await api.files.upload({ file })
    return { file_id }
  } catch (error) {
    const { code, status, message } = toFailure(error)
    if (!code.startsWith('FILE_')) throw error
    throw { code: 'INVALID_INPUT', status, message, data: { issues: [{ path: field, message }] } }
  }
}
