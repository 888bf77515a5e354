import { type ReactNode, useRef, useState } from 'react'
import { CAPTIONS_MAX, CAPTIONS_TOO_LONG, captionsProblem } from '#contract/captions.ts'
import { SAMPLE_MEGABYTES, SAMPLE_TOO_LARGE } from '#contract/files.ts'
import { PictureField } from '#web/features/admin/catalogue/picture-field.tsx'
import { RecordPart } from '#web/features/admin/frame/record-editor.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Segmented, Switch } from '#web/ui/choice.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { FilmField } from './film-field.tsx'
import { readVideo, storeFrame, uploadVideo } from './upload-video.ts'
import { type VideoDraft, withAddress } from './video-draft.ts'
import { nameOfFile, proposalOf } from './video-proposal.ts'
import type { Option, VideoOptions } from './video-versions.ts'

interface VideoFormProps {
  draft: VideoDraft
  /** by field, once they are to be shown */
  problems: Partial<Record<string, string>>
  options: VideoOptions
  /** the access to it, in a sentence */
  access: ReactNode
  onChange: (change: (draft: VideoDraft) => VideoDraft) => void
}

/** The fields of a video. */
export function VideoForm({ draft, problems, options, access, onChange }: VideoFormProps) {
  const set = (change: Partial<VideoDraft>) => onChange((current) => ({ ...current, ...change }))
  const field = (key: 'name' | 'description' | 'duration' | 'publish') => ({
    value: draft[key],
    error: problems[key],
    onChange: (event: { currentTarget: { value: string } }) => set({ [key]: event.currentTarget.value }),
  })
  const choice = (key: 'video_type_id' | 'program_id' | 'instructor_id' | 'class_type_id' | 'class_category_id') => ({
    value: draft[key],
    error: problems[key],
    onChange: (event: { currentTarget: { value: string } }) => set({ [key]: event.currentTarget.value }),
  })
  const proposal = draft.source === 'url' ? proposalOf(draft.url) : null
  return (
    <>
      <RecordPart title="El video">
        <Segmented
          label="De dónde viene"
          options={[
            { value: 'url', label: 'Una dirección' },
            { value: 'file', label: 'Un archivo' },
          ]}
          value={draft.source}
          onChange={(source) => set({ source })}
        />
        {draft.source === 'url' ? (
          <TextField
            label="Dirección del video"
            type="url"
            inputMode="url"
            autoComplete="off"
            maxLength={2_000}
            hint={
              proposal
                ? `Se ve con ${proposal.service}.`
                : 'Pega la de YouTube, Vimeo, Wistia, Cloudflare Stream, Bunny, Loom o Mux, o la de un archivo .mp4 o .webm.'
            }
            error={problems.url}
            value={draft.url}
            onChange={(event) => {
              const { value } = event.currentTarget
              onChange((current) => withAddress(current, value))
            }}
          />
        ) : (
          <>
            <VideoFile draft={draft} error={problems.file ?? problems.file_id} onChange={onChange} />
            <Captions captions={draft.captions} error={problems.captions} onCaptions={(captions) => set({ captions })} />
          </>
        )}
        <TextField label="Título" maxLength={120} {...field('name')} />
        <TextArea label="Descripción" optional rows={3} maxLength={4_000} {...field('description')} />
        <TextField label="Minutos" inputMode="numeric" maxLength={4} {...field('duration')} />
        <PictureField
          label="Imagen"
          name="thumbnail"
          optional
          hint="De un archivo o de YouTube se propone una del video. Vacía: un dibujo de su tipo de clase."
          error={problems.thumbnail}
          value={draft.thumbnail}
          onChange={(thumbnail) => set({ thumbnail })}
        />
        <Sample draft={draft} error={problems.sample ?? problems.sample_file_id} onChange={onChange} />
      </RecordPart>
      <RecordPart title="De qué es">
        <div className="record-pair">
          <Choice label="Tipo de video" options={options.types} {...choice('video_type_id')} />
          <Choice label="Coach" options={options.coaches} {...choice('instructor_id')} />
          <Choice label="Programa" options={options.programs} {...choice('program_id')} />
          <Choice label="Tipo de clase" options={options.classTypes} {...choice('class_type_id')} />
          <Choice label="Categoría" options={options.categories} {...choice('class_category_id')} />
        </div>
        {options.tags.length > 0 && (
          <fieldset className="record-group">
            <legend className="field-label">
              Etiquetas <small>(Opcional)</small>
            </legend>
            {options.tags.map(({ value, label }) => (
              <Checkbox
                key={value}
                checked={draft.tag_ids.includes(value)}
                onChange={(event) =>
                  set({
                    tag_ids: event.currentTarget.checked ? [...draft.tag_ids, value] : draft.tag_ids.filter((tag_id) => tag_id !== value),
                  })
                }
              >
                {label}
              </Checkbox>
            ))}
          </fieldset>
        )}
      </RecordPart>
      <RecordPart title="Quién lo ve">
        <p>{access}</p>
        <TextField
          label="Se publica el"
          type="datetime-local"
          optional
          hint="Con la hora del estudio. Vacío: en cuanto lo guardes."
          {...field('publish')}
        />
        <Switch
          checked={draft.available}
          hint="Apagado: solo lo ve tu equipo."
          onChange={(event) => set({ available: event.currentTarget.checked })}
        >
          Se muestra
        </Switch>
        <Switch
          checked={draft.featured}
          hint="Va arriba, en grande. Si hay varios, el más nuevo."
          onChange={(event) => set({ featured: event.currentTarget.checked })}
        >
          Destacado
        </Switch>
      </RecordPart>
    </>
  )
}

interface ChoiceProps {
  label: string
  options: readonly Option[]
  value: string
  error: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

function Choice({ options, ...select }: ChoiceProps) {
  return (
    <Select optional {...select}>
      <option value="">Sin elegir</option>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
  )
}

interface CaptionsProps {
  captions: string
  error: string | undefined
  onCaptions: (captions: string) => void
}

/** The captions of an uploaded film: a WebVTT file, stored with the video. */
function Captions({ captions, error, onCaptions }: CaptionsProps) {
  const [name, setName] = useState<string | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const choose = async (file: File) => {
    // In UTF-8 a character takes three bytes at most for each unit of its length.
    if (file.size > CAPTIONS_MAX * 3 + 3) return setWrong(CAPTIONS_TOO_LONG)
    const text = await file.text().catch(() => null)
    const problem = text === null ? 'No pudimos leer ese archivo. Elígelo otra vez.' : captionsProblem(text)
    setWrong(problem)
    if (text === null || problem) return
    setName(file.name)
    onCaptions(text)
  }
  return (
    <>
      <FileField
        label="Subtítulos"
        name="captions"
        optional
        accept=".vtt,text/vtt"
        hint="Un archivo WebVTT (.vtt) con lo que se dice y cuándo. Quien ve el video los enciende en el reproductor."
        error={wrong ?? error}
        chosen={null}
        onChoose={(file) => file && void choose(file)}
        current={captions ? { name: name ?? 'Con subtítulos', thumbnail: null } : null}
      />
      {captions && (
        <p>
          <Button variant="outline" size="small" onClick={() => onCaptions('')}>
            Quitar subtítulos
          </Button>
        </p>
      )}
    </>
  )
}

/** The file of a video: uploaded as soon as it is chosen, which proposes title, minutes and picture. */
function VideoFile({ draft, error, onChange }: Pick<VideoFormProps, 'draft' | 'onChange'> & { error: string | undefined }) {
  const site = useSite()
  const proposed = useRef('')
  const store = async (chosen: File, onProgress: (part: number) => void) => {
    const file = await uploadVideo(chosen, onProgress)
    const { minutes, frame } = await readVideo(fileUrl(site, file.src))
    // A chosen picture stays; the frame of another file does not.
    const isWanted = draft.thumbnail === '' || draft.thumbnail === proposed.current
    const picture = frame && isWanted ? await storeFrame(frame) : null
    const former = proposed.current
    const name = nameOfFile(chosen.name)
    onChange((current) => ({
      ...current,
      file,
      // The times of captions are those of their film.
      captions: '',
      name: current.name || name,
      duration: current.duration || (minutes === null ? '' : String(minutes)),
      thumbnail: current.thumbnail === '' || current.thumbnail === former ? (picture ?? '') : current.thumbnail,
    }))
    proposed.current = picture ?? ''
  }
  return (
    <FilmField
      label="Archivo del video"
      name="file"
      hint="MP4 o WebM, de hasta 60 MB. Uno más grande, súbelo a YouTube o Vimeo y pega su dirección."
      error={error}
      film={draft.file}
      store={store}
    />
  )
}

/** The sample of a video, which anybody may watch before buying (O17). */
function Sample({ draft, error, onChange }: Pick<VideoFormProps, 'draft' | 'onChange'> & { error: string | undefined }) {
  const own = draft.source === 'file' ? ' Sin él se ven los primeros segundos del archivo.' : ' Sin él no hay muestra.'
  return (
    <>
      <FilmField
        label="Muestra"
        name="sample"
        optional
        hint={`Un clip de 15 segundos, MP4 o WebM de hasta ${SAMPLE_MEGABYTES} MB, que cualquiera puede ver antes de comprar.${own}`}
        error={error}
        film={draft.sample}
        limit={{ megabytes: SAMPLE_MEGABYTES, message: SAMPLE_TOO_LARGE }}
        store={async (chosen, onProgress) => {
          const sample = await uploadVideo(chosen, onProgress)
          onChange((current) => ({ ...current, sample }))
        }}
      />
      {draft.sample && (
        <p>
          <Button variant="outline" size="small" onClick={() => onChange((current) => ({ ...current, sample: null }))}>
            Quitar muestra
          </Button>
        </p>
      )}
    </>
  )
}
