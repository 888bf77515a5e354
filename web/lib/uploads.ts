/** Files on their way: sent before the record that names them is saved (S2-4.30). */
import { api } from './api.ts'
import { failureOf } from './errors.ts'

/** Sends a file and gives its id. A refusal about the file itself (type, size, quota) becomes one about `field`, for the form that holds it. */
export async function sendFile(field: string, file: File): Promise<{ file_id: number }> {
  try {
    const { file_id } = await api.files.upload({ file })
    return { file_id }
  } catch (error) {
    const { code, status, message } = failureOf(error)
    if (!code.startsWith('FILE_')) throw error
    throw { code: 'INVALID_INPUT', status, message, data: { issues: [{ path: field, message }] } }
  }
}
