/** Reads across lower modules; writes nothing. */
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { classPackage, classType, instructor } from '#server/modules/catalogue/tables.ts'
import type { FileRow } from '#server/modules/content/content.ts'
import { announcement, form, formAnswer, page } from '#server/modules/content/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import { purchase } from '#server/modules/sales/tables.ts'
import { setting } from '#server/modules/settings/tables.ts'
import { program, video } from '#server/modules/videos/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

/** A customer's purchases, newest first: what the client needs for limits and the sign-up fee. */
export async function listPurchaseFacts(
  db: Reader,
  customer_id: number,
): Promise<{ class_package_id: number; purchase_id: number; status: string }[]> {
  const rows = await db
    .select({ class_package_id: purchase.class_package_id, purchase_id: purchase.purchase_id, status: purchase.status })
    .from(purchase)
    .where(eq(purchase.customer_id, customer_id))
    .orderBy(desc(purchase.createdAt), desc(purchase.purchase_id))
  // A single place (V45) is no package: it counts against no limit.
  return rows.flatMap(({ class_package_id, ...row }) => (class_package_id === null ? [] : [{ class_package_id, ...row }]))
}

/** Whether a profile, an answer, a video, the catalogue, a page or a setting still shows a file (U6). Public ones are known by their name, which is random. */
export async function isFileShown(tx: Tx, { file_id, customer_id, is_public, key }: FileRow): Promise<boolean> {
  const name = `%${key.slice(key.indexOf('/') + 1).replace(/_/g, '\\_')}%`
  const question = is_public
    ? sql`exists (select 1 from ${classType} where image like ${name} or icon like ${name})
       or exists (select 1 from ${instructor} where photo like ${name} or short_bio like ${name})
       or exists (select 1 from ${classPackage} where image like ${name} or receipt_file like ${name} or downloadable like ${name} or description like ${name})
       or exists (select 1 from ${page} where content like ${name} or source like ${name})
       or exists (select 1 from ${announcement} where content like ${name} or source like ${name})
       or exists (select 1 from ${setting} where value::text like ${name})
       or exists (select 1 from ${video} where "deletedAt" is null and (file_id = ${file_id} or thumbnail like ${name}))
       or exists (select 1 from ${program} where image like ${name})`
    : sql`exists (select 1 from ${classPackage} where "deletedAt" is null and downloadable like ${name})
       or exists (select 1 from ${customer} where photo_file_id = ${file_id} or id_file_id = ${file_id})
       or exists (select 1 from ${video} where file_id = ${file_id} and "deletedAt" is null)
       or exists (select 1 from ${formAnswer} where customer_id = ${customer_id}
                  and jsonb_path_exists(answers, '$.**.file_id ? (@ == $id)', jsonb_build_object('id', ${file_id}::integer)))`
  const { rows } = await tx.execute<{ shown: boolean }>(sql`select ${question} as shown`)
  return rows[0]?.shown === true
}

/** Which of these numbers of forms and packages name nothing that there is. */
export async function listMissing(db: Reader, named: { forms: readonly number[]; packages: readonly number[] }) {
  const [forms, packages] = await Promise.all([
    named.forms.length
      ? db
          .select({ id: form.form_id })
          .from(form)
          .where(inArray(form.form_id, [...named.forms]))
      : [],
    named.packages.length
      ? db
          .select({ id: classPackage.class_package_id })
          .from(classPackage)
          .where(and(inArray(classPackage.class_package_id, [...named.packages]), isNull(classPackage.deletedAt)))
      : [],
  ])
  const gone = (asked: readonly number[], found: readonly { id: number }[]) => asked.filter((id) => !found.some((one) => one.id === id))
  return { forms: gone(named.forms, forms), packages: gone(named.packages, packages) }
}
