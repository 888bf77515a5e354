import '#web/features/admin/videos/videos.css'
import { IconPlus, IconStar } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { empty } from '#contract/copy/empty-lists.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { formatWall } from '#contract/time.ts'
import type { StudioVideo } from '#contract/videos.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { useVideoAccess } from '#web/features/admin/videos/video-access.ts'
import { VIDEO_STATES } from '#web/features/admin/videos/video-draft.ts'
import { VideoTabs } from '#web/features/admin/videos/video-tabs.tsx'
import { Art, slugOfName } from '#web/features/site/art.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'

export const handle: AdminHandle = { title: 'Videos' }

const STATES = (Object.keys(VIDEO_STATES) as StudioVideo['state'][]).map((value) => ({ value, label: VIDEO_STATES[value] }))
const SORTS = [
  { value: 'name', label: 'Título' },
  { value: '-views', label: 'Los más vistos' },
  { value: '-rating', label: 'Los mejor calificados' },
] as const
const KEYS = ['estado', 'tipo', 'programa', 'coach', 'orden'] as const

const numberIn = (text: string): number | undefined => idInText(text) ?? undefined
const oneOf = <V extends string>(options: readonly { value: V }[], text: string): V | undefined =>
  options.find(({ value }) => value === text)?.value

/** Videos: what is watched online, in every state, with its figures. */
export default function Videos() {
  const table = useTableQuery(KEYS)
  const navigate = useNavigate()
  const access = useVideoAccess()
  const { estado, tipo, programa, coach, orden } = table.filters
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const types = useQuery(queries.videos.admin.videoTypes.all.queryOptions(lists)).data?.video_types ?? []
  const programs = useQuery(queries.videos.admin.programs.all.queryOptions(lists)).data?.programs ?? []
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ input: {}, ...lists })).data?.instructors ?? []
  const wanted = {
    state: oneOf(STATES, estado),
    sort: oneOf(SORTS, orden),
    query: table.q.slice(0, 120) || undefined,
    video_type_id: numberIn(tipo),
    program_id: numberIn(programa),
    instructor_id: numberIn(coach),
  }
  const input = { page: table.page, ...Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) }
  const query = useQuery({
    ...queries.videos.admin.videos.all.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  useShortcuts('Lista de videos', [{ keys: 'n', label: 'Nuevo video', act: () => void navigate(adminPaths.newVideo) }])
  const { columns, chooser } = useChosenColumns('videos', COLUMNS)
  const total = query.data?.total ?? 0
  const filter = (key: (typeof KEYS)[number]) => ({ value: table.filters[key], onChange: (value: string) => table.setFilter(key, value) })
  const named = (rows: readonly { name: string; id: number }[]) => rows.map(({ name, id }) => ({ value: String(id), label: name }))
  return (
    <>
      <ScreenHead title="Videos" about={access}>
        <Button as={AppLink} to={adminPaths.newVideo} icon={<IconPlus className="icon" aria-hidden="true" />}>
          Nuevo video
        </Button>
      </ScreenHead>
      <VideoTabs current="videos" />
      <DataTable
        caption="Videos"
        list="videos"
        query={query}
        table={table}
        searchLabel="Título, coach, tipo o programa"
        filters={
          <>
            <ChipSelect label="Estado" all="Todos los estados" options={STATES} {...filter('estado')} />
            <ChipSelect
              label="Tipo"
              all="Todos los tipos"
              options={named(types.map(({ video_type_id, name }) => ({ id: video_type_id, name })))}
              {...filter('tipo')}
            />
            <ChipSelect
              label="Programa"
              all="Todos los programas"
              options={named(programs.map(({ program_id, name }) => ({ id: program_id, name })))}
              {...filter('programa')}
            />
            <ChipSelect
              label="Coach"
              all="Todos los coaches"
              options={named(coaches.map((coach) => ({ id: coach.instructor_id, name: instructorName(coach) })))}
              {...filter('coach')}
            />
            <ChipSelect label="Orden" all="Los más nuevos" options={SORTS} {...filter('orden')} />
            {chooser}
          </>
        }
        columns={columns}
        rows={query.data?.videos ?? []}
        rowKey={(row) => row.video_id}
        card={(row) => (
          <>
            <span className="row spread">
              <Title row={row} />
              <State row={row} />
            </span>
            <p className="small muted">{[`${row.duration} min`, coachText(row), row.video_type?.name].filter(Boolean).join(' · ')}</p>
            <p className="small">
              {row.views === 1 ? '1 vista' : `${row.views} vistas`} · {row.completed} completos · <Rating row={row} />
            </p>
          </>
        )}
        totals={total === 1 ? '1 video' : `${total.toLocaleString('es-MX')} videos`}
        pages={query.data?.pages}
        failed="No pudimos cargar los videos."
        empty={<EmptyState>{empty.videos}</EmptyState>}
        nothingFound="No hay videos con estos filtros."
      />
    </>
  )
}

const coachText = ({ instructor }: StudioVideo) => (instructor ? instructorName(instructor) : null)
const stateText = (row: StudioVideo) =>
  row.state === 'scheduled' ? `Programado el ${formatWall(row.publish_date, 'class')}` : VIDEO_STATES[row.state]
const TONES = { published: 'ok', scheduled: 'brand', hidden: 'neutral' } as const

function State({ row }: { row: StudioVideo }) {
  return <Badge tone={TONES[row.state]}>{stateText(row)}</Badge>
}

function Title({ row }: { row: StudioVideo }) {
  const site = useSite()
  return (
    <span className="video-cell">
      {row.thumbnail ? (
        <img src={fileUrl(site, row.thumbnail)} alt="" width={64} height={40} loading="lazy" />
      ) : (
        <Art
          kind="clase"
          seed={slugOfName([row.name, row.class_type?.name ?? '', String(row.video_id)].join(' '))}
          ground="soft"
          floorless
          width={64}
          height={40}
        />
      )}
      <AppLink to={adminPaths.video(row.video_id)} className="row-link strong">
        {row.name}
      </AppLink>
    </span>
  )
}

function Rating({ row }: { row: StudioVideo }) {
  if (row.rating === null) return <span className="muted">Sin calificar</span>
  return (
    <span className="rated-video">
      <IconStar className="icon" aria-hidden="true" /> {row.rating.toLocaleString('es-MX')} ({row.ratings})
    </span>
  )
}

const COLUMNS: readonly KeyedColumn<StudioVideo>[] = [
  { key: 'video', header: 'Video', cell: (row) => <Title row={row} /> },
  { key: 'minutos', header: 'Minutos', align: 'right', cell: (row) => row.duration },
  { key: 'tipo', header: 'Tipo', cell: (row) => row.video_type?.name ?? '—' },
  { key: 'coach', header: 'Coach', cell: (row) => coachText(row) ?? '—' },
  { key: 'programa', isExtra: true, header: 'Programa', cell: (row) => row.program?.name ?? '—' },
  { key: 'acceso', header: 'Acceso', cell: (row) => (row.state === 'published' ? 'Con paquete online' : 'Solo el equipo') },
  { key: 'vistas', header: 'Vistas', align: 'right', cell: (row) => row.views },
  { key: 'completos', header: 'Completos', align: 'right', cell: (row) => row.completed },
  { key: 'favoritos', isExtra: true, header: 'Favoritos', align: 'right', cell: (row) => row.favorites },
  { key: 'calificacion', header: 'Calificación', cell: (row) => <Rating row={row} /> },
  { key: 'estado', header: 'Estado', cell: (row) => <State row={row} /> },
]
