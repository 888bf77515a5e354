/** CPU and memory of processes, from the operating system (Linux). */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

function stat(pid: number): { parent: number; cpu: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), cpu: Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]) }
  } catch {
    return null
  }
}

/** CPU time of a process so far, in milliseconds. */
export function cpuOf(pid: number): number {
  return ((stat(pid)?.cpu ?? 0) * 1000) / TICKS_PER_SECOND
}

/** CPU time of a process with all its children, ended ones included, in milliseconds: PostgreSQL is many processes. */
export function cpuOfTree(root: number): number {
  let sum = cpuOf(root)
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (Number.isInteger(pid) && stat(pid)?.parent === root) sum += cpuOf(pid)
  }
  return sum
}

/** Memory of a process in MiB. */
export function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kilobytes ?? 0) / 1024
}
