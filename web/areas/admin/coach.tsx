import '#web/features/admin/catalogue/coach.css'
import { IconArchive, IconChevronLeft, IconExternalLink } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { instructorFullName, instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { addDays, formatWall } from '#contract/time.ts'
import {
  diffRecord,
  type FieldValue,
  getCatalogueList,
  lockFields,
  type RecordValues,
  toFormValues,
  validate,
} from '#web/features/admin/catalogue/catalogue-lists.ts'
import { CoachPreview } from '#web/features/admin/catalogue/coach-preview.tsx'
import { type CoachPhoto, PhotoField } from '#web/features/admin/catalogue/photo-field.tsx'
import { RecordField } from '#web/features/admin/catalogue/record-panel.tsx'
import { RecordUses } from '#web/features/admin/catalogue/record-uses.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { mergeEdit, useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { payRuleList } from '#web/features/admin/payroll/rule-list.ts'
import { cellText } from '#web/features/admin/reports/amount-text.ts'
import { Absences } from '#web/features/admin/timetable/absences.tsx'
import { SubstitutionList } from '#web/features/admin/timetable/substitution-list.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

const RecordConflict = lazy(() => import('#web/features/admin/catalogue/record-conflict.tsx'))

export const handle: AdminHandle = { title: 'Coach', detail: true, edits: true }

type Coach = Awaited<ReturnType<typeof api.catalogue.admin.instructors.all>>['instructors'][number]

const COACHES = getCatalogueList('coaches')
/** Its fields without the photo, which has a field of its own. */
const LIST = { ...COACHES, fields: COACHES.fields.filter(({ key }) => key !== 'photo') }
/** Columns of the report of coaches that the page shows. */
const FIGURES = ['classes', 'taken', 'occupancy', 'absence', 'rating', 'returned']
/** Days of classes that the page lists. */
const DAYS = 14
const SHOWN_CLASSES = 8

/** One coach: the profile as the site shows it, the photo, absences, classes, substitutions, pay and access. */
export default function CoachScreen() {
  const { instructor_id } = useParams()
  const query = useQuery(queries.catalogue.admin.instructors.all.queryOptions({ meta: { handled: true } }))
  const coach = query.data?.instructors.find((one) => String(one.instructor_id) === instructor_id)
  return (
    <>
      <AppLink to={adminPaths.catalogue('coaches')} className="link coach-back">
        <IconChevronLeft className="icon" aria-hidden="true" /> Coaches
      </AppLink>
      {coach ? (
        <Editor key={coach.instructor_id} coach={coach} />
      ) : (
        <NoRecord title="Coach" query={query} failed="No pudimos cargar al coach." missing="Ese coach ya no existe." />
      )}
    </>
  )
}

interface CoachDraft {
  values: RecordValues
  photo: CoachPhoto
}

const toCoachDraft = (coach: Coach): CoachDraft => ({
  values: toFormValues(LIST, coach),
  photo: { photo: coach.photo, photo_original: coach.photo_original, photo_crop: coach.photo_crop },
})

const mergeCoach = (base: CoachDraft, mine: CoachDraft, theirs: CoachDraft): CoachDraft => ({
  ...mergeEdit(base, mine, theirs),
  values: mergeEdit(base.values, mine.values, theirs.values),
})

/** The fields of a version as the dialog of both versions compares them. */
const allValues = ({ values, photo }: CoachDraft): RecordValues => ({ ...values, photo: photo.photo ?? '' })

function Editor({ coach }: { coach: Coach }) {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const edit = useVersionedEdit({
    ...{ stored: coach, start: toCoachDraft(coach), toDraft: toCoachDraft, merge: mergeCoach, follows: true },
    send: ({ photo, values }: CoachDraft, from: Coach | null) =>
      LIST.update({
        ...{ instructor_id, ...diffRecord(LIST, from && toFormValues(LIST, from), values), ...lockFields(from) },
        ...(photo.photo === from?.photo ? {} : photo),
      }),
    reload: () => client.invalidateQueries(),
    async onSaved(answer) {
      const { instructor } = answer as { instructor?: Coach }
      // After the list is read: a form without edits follows its values.
      await client.invalidateQueries()
      if (instructor) edit.follow(instructor)
      setChecked(false)
      showAlert('success', 'Guardado.')
    },
  })
  const { setDraft, isChanged, conflict } = edit
  const { photo, values } = edit.draft
  const problems = validate(LIST, values)
  const [checked, setChecked] = useState(false)
  const { instructor_id } = coach
  const setArchived = async (archived: boolean) => {
    await api.catalogue.admin.instructors.update({ instructor_id, archived })
    await client.invalidateQueries()
  }
  const archive = useMutation({
    meta: { handled: true },
    mutationFn: setArchived,
    onSuccess(_, archived) {
      if (!archived) {
        showAlert('success', 'Recuperado. Se ofrece otra vez.')
        return
      }
      offerUndo('Archivado. Ya no se ofrece, y sus clases se quedan como están.', () => {
        void setArchived(false)
          .then(() => showAlert('success', 'Deshecho.'))
          .catch((error: unknown) => showAlert('alert', toFailure(error).message))
      })
    },
  })
  const refused = edit.refusal ?? (archive.error ? toFailure(archive.error) : null)
  const wrong = fieldErrors(refused)
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) edit.save()
    else showAlert('alert', 'Revisa los campos marcados.')
  }
  const set = (key: string, value: FieldValue) => setDraft((current) => ({ ...current, values: { ...current.values, [key]: value } }))
  const typed = (key: string) => String(values[key] ?? '')
  const orNull = (key: string) => typed(key).trim() || null
  const shown = {
    ...{ instructor_id, name: typed('name'), last_name: typed('last_name'), nick_name: orNull('nick_name'), quote: orNull('quote') },
    ...{ short_bio: orNull('short_bio'), instagram: orNull('instagram'), birthdate: orNull('birthdate') },
    ...{ music_type: orNull('music_type'), specialties: orNull('specialties') },
    file: photo.photo === null ? null : { name: '', type: '', src: photo.photo },
  }
  const name = instructorName(coach)
  return (
    <div className="record-editor">
      <div>
        <ScreenHead title={instructorFullName(coach)}>
          {coach.archived && <Badge tone="neutral">Archivado</Badge>}
          {!coach.archived && (
            <Button
              as="a"
              href={paths.instructor(instructor_id)}
              target="_blank"
              rel="noopener"
              variant="outline"
              icon={<IconExternalLink className="icon" aria-hidden="true" />}
            >
              Ver en el sitio
            </Button>
          )}
          <Button
            variant="outline"
            icon={<IconArchive className="icon" aria-hidden="true" />}
            loading={archive.isPending}
            onClick={() => archive.mutate(!coach.archived)}
          >
            {coach.archived ? 'Recuperar' : 'Archivar'}
          </Button>
        </ScreenHead>
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <section className="coach-form" aria-label="Perfil">
          <PhotoField value={photo} onChange={(next) => setDraft((current) => ({ ...current, photo: next }))} />
          {LIST.fields.map((field) => (
            <RecordField
              key={field.key}
              field={field}
              value={values[field.key] ?? ''}
              error={(checked ? problems[field.key] : undefined) ?? wrong[field.key]}
              onChange={(value) => set(field.key, value)}
            />
          ))}
        </section>
        <SaveBar isChanged={isChanged} saving={edit.isSaving} onSave={submit} onDiscard={() => edit.follow(coach)}>
          {isChanged ? 'Hay cambios sin guardar.' : ' '}
        </SaveBar>
      </div>
      <aside className="record-aside coach-aside" aria-label={`Lo demás de ${name}`}>
        <CoachPreview coach={shown} />
        {may(staff, 'reports.activity') && <Figures instructor_id={instructor_id} />}
        <NextClasses instructor_id={instructor_id} />
        {may(staff, 'schedule.edit') && (
          <>
            <div className="panel-card coach-card">
              <Absences today={todayIn(site.zone)} coach={{ instructor_id, name }} />
            </div>
            <Substitutions instructor_id={instructor_id} />
          </>
        )}
        {may(staff, 'payroll') && <Pay instructor_id={instructor_id} />}
        {may(staff, 'staff.edit') && <Access instructor_id={instructor_id} />}
        <RecordUses list={COACHES} id={instructor_id} />
      </aside>
      {conflict && (
        <Suspense>
          <RecordConflict list={COACHES} {...conflict} theirs={allValues(conflict.theirs)} mine={allValues(conflict.mine)} />
        </Suspense>
      )}
      <LeaveGuard when={isChanged && !edit.isSaving} />
    </div>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel-card coach-card" aria-label={title}>
      <h2 className="t3">{title}</h2>
      {children}
    </section>
  )
}

/** Figures of the coaches' report for the last four weeks. */
function Figures({ instructor_id }: { instructor_id: number }) {
  const query = useQuery(queries.reports.read.queryOptions({ input: { key: 'coaches', instructor_id }, meta: { handled: true } }))
  const row = query.data?.rows.find(({ id }) => id === String(instructor_id))
  const shown = (query.data?.columns ?? []).filter(({ key }) => FIGURES.includes(key))
  return (
    <Card title="Cifras">
      {query.isError && <p className="muted">No pudimos cargar sus cifras.</p>}
      {query.data && <p className="muted">{row ? 'Las últimas cuatro semanas.' : 'No dio clases en las últimas cuatro semanas.'}</p>}
      {row && (
        <dl className="coach-figures">
          {shown.map(({ key, label, type }) => (
            <div key={key}>
              <dt className="small muted">{label}</dt>
              <dd className="figure-small">{cellText(row.cells[key] ?? null, type)}</dd>
            </div>
          ))}
        </dl>
      )}
      <AppLink to={adminPaths.report('coaches')} className="link link-alone">
        Ver el reporte por coach
      </AppLink>
    </Card>
  )
}

/** The classes of the next two weeks. */
function NextClasses({ instructor_id }: { instructor_id: number }) {
  const site = useSite()
  const start_date = todayIn(site.zone)
  const query = useQuery(
    queries.studioSchedule.read.queryOptions({
      input: { start_date, end_date: addDays(start_date, DAYS - 1), instructor_id },
      meta: { handled: true },
    }),
  )
  const classes = (query.data?.days ?? [])
    .flatMap((day) => day.classes)
    .filter((cls) => cls.single_class_id !== null && cls.state !== 'cancelled' && cls.state !== 'past')
  return (
    <Card title="Sus clases">
      {query.isError && <p className="muted">No pudimos cargar sus clases.</p>}
      {query.data && (
        <p className="muted">
          {classes.length === 0
            ? 'No tiene clases en las próximas dos semanas.'
            : classes.length === 1
              ? '1 clase en las próximas dos semanas.'
              : `${classes.length} clases en las próximas dos semanas.`}
        </p>
      )}
      {classes.length > 0 && (
        <ul className="coach-classes">
          {classes.slice(0, SHOWN_CLASSES).map((cls) => (
            <li key={cls.single_class_id}>
              <AppLink to={adminPaths.roster(cls.single_class_id ?? 0)} className="link">
                {cls.class_type.name}
              </AppLink>
              <span className="small muted">
                {formatWall(cls.class_date, 'class')} · {cls.taken} / {cls.capacity ?? '–'}
              </span>
            </li>
          ))}
        </ul>
      )}
      <AppLink to={adminPaths.scheduleOf({ coach: instructor_id })} className="link link-alone">
        Ver su horario
      </AppLink>
    </Card>
  )
}

/** Open substitutions of the coach's classes, and requests to this coach. */
function Substitutions({ instructor_id }: { instructor_id: number }) {
  const query = useQuery(queries.substitutions.list.queryOptions({ input: { state: 'open' }, meta: { handled: true } }))
  const own = (query.data?.substitutions ?? []).filter(({ instructor, substitute, asked }) =>
    [instructor, substitute, ...asked].some((one) => one?.instructor_id === instructor_id),
  )
  return (
    <Card title="Suplencias">
      {query.isError ? (
        <p className="muted">No pudimos cargar las suplencias.</p>
      ) : own.length === 0 ? (
        <p className="muted">Ninguna abierta.</p>
      ) : (
        <SubstitutionList substitutions={own} />
      )}
      <AppLink to={adminPaths.substitutions} className="link link-alone">
        Todas las suplencias
      </AppLink>
    </Card>
  )
}

/** The rules that can decide the coach's pay: own ones, otherwise those for all coaches. */
function Pay({ instructor_id }: { instructor_id: number }) {
  const site = useSite()
  const today = todayIn(site.zone)
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const query = useQuery(queries.payRules.all.queryOptions({ meta: { handled: true } }))
  const types = useQuery(queries.catalogue.classTypes.queryOptions(lists)).data?.class_types ?? []
  const locations = useQuery(queries.catalogue.locations.queryOptions(lists)).data?.locations ?? []
  const rules = payRuleList(
    {
      coaches: [],
      types: types.map((one) => ({ value: String(one.class_type_id), label: one.name })),
      locations: locations.map((one) => ({ value: String(one.location_id), label: one.name })),
    },
    today,
  )
  const current = (query.data?.pay_rules ?? []).filter(({ from_day }) => from_day <= today)
  const own = current.filter((rule) => rule.instructor_id === instructor_id)
  const shown = own.length > 0 ? own : current.filter((rule) => rule.instructor_id === null)
  return (
    <Card title="Pago">
      {query.isError && <p className="muted">No pudimos cargar las reglas de pago.</p>}
      {query.data && (
        <p className="muted">
          {own.length > 0
            ? 'Tiene reglas propias.'
            : shown.length > 0
              ? 'Se le paga con las reglas de todos.'
              : 'Ninguna regla dice cuánto se le paga.'}
        </p>
      )}
      <ul className="coach-classes">
        {shown.map((rule) => (
          <li key={rule.pay_rule_id}>{rules.about(rule)}</li>
        ))}
      </ul>
      <AppLink to={adminPaths.payRules} className="link link-alone">
        Reglas de pago
      </AppLink>
    </Card>
  )
}

/** The log-in of the coach, if there is one. */
function Access({ instructor_id }: { instructor_id: number }) {
  const query = useQuery(queries.team.list.queryOptions({ meta: { handled: true } }))
  const member = query.data?.staff.find((one) => one.instructor_id === instructor_id && !one.is_disabled)
  return (
    <Card title="Acceso">
      {query.isError && <p className="muted">No pudimos cargar al equipo.</p>}
      {query.data && (
        <p className="muted">
          {member
            ? `${member.email} · ${roleLabels[member.role]}${member.has_joined ? '' : ' · Invitación enviada'}`
            : 'No entra a la administración: no ve sus clases ni sus listas.'}
        </p>
      )}
      {query.data && (
        <AppLink to={member ? adminPaths.team : adminPaths.invite} className="link link-alone">
          {member ? 'Ver en Equipo' : 'Invitar'}
        </AppLink>
      )}
    </Card>
  )
}
