/** Ids of members of staff in tests. */
import type { Person, TestStudio } from './studio.ts'

/** The id of a member of staff; 0 without one. */
export const staffIdOf = async (s: TestStudio, { uid }: Person): Promise<number> =>
  (await s.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [uid]))[0]?.staff_id ?? 0
