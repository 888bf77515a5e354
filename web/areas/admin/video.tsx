import '#web/features/admin/videos/videos.css'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import type { StudioVideo } from '#contract/videos.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { useVideoAccess } from '#web/features/admin/videos/video-access.ts'
import { changedVideoFields, draftOfVideo, NEW_VIDEO, type VideoDraft, videoProblems } from '#web/features/admin/videos/video-draft.ts'
import { VideoForm } from '#web/features/admin/videos/video-form.tsx'
import { type VideoOptions, videoVersions } from '#web/features/admin/videos/video-versions.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { StarRating } from '#web/ui/stars.tsx'

export const handle: AdminHandle = { title: 'Video', detail: true, edits: true }

/** One video; `/nuevo` makes one. */
export default function VideoScreen() {
  const { video_id = '' } = useParams()
  const id = idInText(video_id) ?? 0
  const query = useQuery({
    ...queries.videos.admin.videos.one.queryOptions({ input: { video_id: id }, meta: { handled: true } }),
    enabled: id > 0,
    retry: false,
  })
  if (video_id === 'nuevo') return <Editor key="nuevo" stored={null} />
  if (query.data) return <Editor key={id} stored={query.data.video} />
  const isMissing = id === 0 || (query.isError && toFailure(query.error).code === 'VIDEO_NOT_FOUND')
  return (
    <NoRecord title="Video" query={query} failed="No pudimos cargar el video." missing="Ese video ya no existe." isMissing={isMissing} />
  )
}

function useVideoOptions(): VideoOptions {
  const lists = { staleTime: 60_000, meta: { handled: true } }
  const types = useQuery(queries.videos.admin.videoTypes.all.queryOptions(lists)).data?.video_types ?? []
  const programs = useQuery(queries.videos.admin.programs.all.queryOptions(lists)).data?.programs ?? []
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ input: {}, ...lists })).data?.instructors ?? []
  const classTypes = useQuery(queries.catalogue.classTypes.queryOptions(lists)).data?.class_types ?? []
  const categories =
    useQuery(queries.catalogue.admin.classCategories.all.queryOptions(lists)).data?.class_categories.filter(({ archived }) => !archived) ??
    []
  const tags = useQuery(queries.catalogue.admin.tags.all.queryOptions(lists)).data?.tags.filter(({ archived }) => !archived) ?? []
  const option = (id: number, label: string) => ({ value: String(id), label })
  return {
    types: types.map(({ video_type_id, name }) => option(video_type_id, name)),
    programs: programs.map(({ program_id, name }) => option(program_id, name)),
    coaches: coaches.map((coach) => option(coach.instructor_id, instructorName(coach))),
    classTypes: classTypes.map(({ class_type_id, name }) => option(class_type_id, name)),
    categories: categories.map(({ class_category_id, name }) => option(class_category_id, name)),
    tags: tags.filter(({ type }) => type === 'video').map(({ tag_id, name }) => option(tag_id, name)),
  }
}

function Editor({ stored }: { stored: StudioVideo | null }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { zone } = useSite()
  const access = useVideoAccess()
  const options = useVideoOptions()
  const [checked, setChecked] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [left, setLeft] = useState(false)
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.videos), 0)
  }
  const edit = useVersionedEdit({
    stored,
    start: NEW_VIDEO,
    toDraft: (video: StudioVideo) => draftOfVideo(video, zone),
    follows: true,
    send: (typed: VideoDraft, from: StudioVideo | null, how) => {
      const changes = changedVideoFields(typed, from && draftOfVideo(from, zone), zone)
      return from
        ? api.videos.admin.videos.update({ ...changes, video_id: from.video_id, if_updatedAt: from.updatedAt })
        : api.videos.admin.videos.create({ video_id: null, ...changes } as Parameters<typeof api.videos.admin.videos.create>[0], how)
    },
    reload: () => client.invalidateQueries(),
    async onSaved({ video }) {
      await client.invalidateQueries()
      edit.follow(video)
      showAlert('success', 'Guardado.')
      if (!stored) leave()
    },
  })
  const { base, before, draft, setDraft, isChanged, isSaving, conflict } = edit
  const problems = videoProblems(draft)
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.videos.admin.videos.remove({ video_id: base?.video_id ?? 0 }),
    async onSuccess() {
      showAlert('success', 'Eliminado.')
      leave()
      await client.invalidateQueries({ queryKey: queries.videos.admin.videos.all.key() })
    },
    onSettled: () => setRemoving(false),
  })
  const refused = edit.refusal ?? (remove.error ? toFailure(remove.error) : null)
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) edit.save()
    else showAlert('alert', 'Revisa los campos marcados.')
  }
  return (
    <div className="video-screen">
      <ScreenHead title={base?.name ?? 'Nuevo video'} about={base ? figures(base) : ' '}>
        {base && (
          <>
            <Button as={AppLink} to={paths.mystudio.video(base.video_id)} variant="outline">
              Verlo en el sitio
            </Button>
            <IconButton label="Eliminar" onClick={() => setRemoving(true)}>
              <IconTrash className="icon" aria-hidden="true" />
            </IconButton>
          </>
        )}
      </ScreenHead>
      {refused && (
        <Banner tone="danger" live>
          {refused.message}
        </Banner>
      )}
      <VideoForm
        draft={draft}
        problems={{ ...(checked ? problems : {}), ...fieldErrors(refused) }}
        options={options}
        access={access}
        onChange={setDraft}
      />
      <SaveBar isChanged={isChanged} saving={isSaving} onSave={submit} onDiscard={base ? () => setDraft(before) : undefined}>
        {base && isChanged ? 'Hay cambios sin guardar.' : ' '}
      </SaveBar>
      {base && base.ratings > 0 && <Ratings video_id={base.video_id} zone={zone} />}
      {conflict && (
        <ConflictDialog title="Alguien más cambió este video" {...conflict}>
          <VersionsTable fields={videoVersions(conflict.theirs, conflict.mine, options)} mergesRest />
        </ConflictDialog>
      )}
      <LeaveGuard when={isChanged && !left && !isSaving} />
      <RemoveDialog open={removing} remove={() => remove.mutateAsync()} onClose={() => setRemoving(false)}>
        ¿Quieres eliminar “{base?.name}”?
      </RemoveDialog>
    </div>
  )
}

const figures = ({ views, completed, rating }: StudioVideo): string =>
  [
    views === 1 ? '1 persona lo vio' : `${views} personas lo vieron`,
    completed === 1 ? '1 lo completó' : `${completed} lo completaron`,
    rating === null ? 'sin calificar' : `${rating.toLocaleString('es-MX')} de 5`,
  ].join(' · ')

/** Comments of customers, latest first. */
function Ratings({ video_id, zone }: { video_id: number; zone: string }) {
  const query = useQuery(queries.videos.admin.videos.ratings.queryOptions({ input: { video_id }, meta: { handled: true } }))
  return (
    <section className="record-part">
      <h2 className="t3">Lo que dijeron</h2>
      <Loaded query={query} skeleton={<ListSkeleton rows={2} />} failed="No pudimos cargar las calificaciones." nothing={null}>
        <ul className="stack gap-16">
          {(query.data?.ratings ?? []).map((rating) => (
            <li key={rating.customer_id}>
              <AppLink to={adminPaths.customer(rating.customer_id)} className="strong">
                {`${rating.name} ${rating.last_name}`.trim()}
              </AppLink>{' '}
              <StarRating value={rating.stars} />{' '}
              <span className="small muted">{formatInstant(new Date(rating.updatedAt), zone, 'date')}</span>
              {rating.comment && <p>{rating.comment}</p>}
            </li>
          ))}
        </ul>
      </Loaded>
    </section>
  )
}
