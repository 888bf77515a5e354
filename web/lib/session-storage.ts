/**
 * A browser may refuse to keep anything (private windows, full disks, policies). The session would be over with the next page, and
 * whoever signs in would be back at the form without knowing why: asked before, and said.
 */
const PROBE = 'estudio:prueba'

/** Throws `auth/web-storage-unsupported` where the session would not outlive the page. */
export async function mustPersistSession(): Promise<void> {
  if (inLocalStorage() || (await inDatabase())) return
  throw { code: 'auth/web-storage-unsupported', message: '' }
}

function inLocalStorage(): boolean {
  try {
    localStorage.setItem(PROBE, '1')
    localStorage.removeItem(PROBE)
    return true
  } catch {
    return false
  }
}

function inDatabase(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const asked = indexedDB.open(PROBE, 1)
      asked.onupgradeneeded = () => asked.result.createObjectStore(PROBE)
      asked.onerror = () => resolve(false)
      asked.onsuccess = () => {
        const database = asked.result
        const end = (kept: boolean): void => {
          database.close()
          resolve(kept)
        }
        try {
          const writing = database.transaction(PROBE, 'readwrite')
          writing.objectStore(PROBE).put(1, 1)
          writing.oncomplete = () => end(true)
          writing.onabort = () => end(false)
        } catch {
          end(false)
        }
      }
    } catch {
      resolve(false)
    }
  })
}
