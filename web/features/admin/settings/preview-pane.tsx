import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { EditedSetting } from '#contract/content.ts'
import { paths } from '#contract/paths.ts'
import { PREVIEW_KEY, PREVIEWED_MAIL } from '#contract/preview.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useDelayed } from '#web/lib/use-delayed.ts'
import { Segmented } from '#web/ui/choice.tsx'
import { Select } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { elementPath, settingAt, settingsOn } from './preview-target.ts'
import type { Change } from './setting-draft.ts'

/** Pause in editing, in ms, after which the pages are rendered again. */
const PAUSE_MS = 500
/** A token lasts 15 minutes; a new one is fetched before. */
const RENEW_MS = 12 * 60_000

/** Sizes of the devices, in CSS pixels. */
const DEVICES = { phone: { width: 390, height: 780 }, desk: { width: 1280, height: 1600 } } as const
type Device = keyof typeof DEVICES

interface PreviewPaneProps {
  /** the changes that can be read; what cannot is shown as it is stored */
  changes: readonly Change[]
  /** where the packages are with these changes */
  packagesPath: string
  /** where a click in the page leads; without it nowhere */
  pick?: PreviewPick
}

interface PreviewPick {
  settings: readonly EditedSetting[]
  /** their values, with the changes */
  values: Readonly<Record<string, unknown>>
  /** goes to the field of a setting */
  onPick: (key: string) => void
}

/**
 * The public pages with the unsaved values, in the frame of a phone or of a desk. Its links and buttons do nothing; it is visible in this
 * browser only.
 */
export default function PreviewPane({ changes, packagesPath, pick }: PreviewPaneProps) {
  const [device, setDevice] = useState<Device>('phone')
  const [path, setPath] = useState<string>(paths.home)
  const [found, setFound] = useState<readonly string[]>([])
  const [isNothing, setIsNothing] = useState(false)
  // The page's listener is set once per page; it always sees the latest values.
  const latest = useRef(pick)
  useEffect(() => {
    latest.current = pick
  })
  const watchPage = useCallback((document: Document) => {
    if (!latest.current) return
    setFound(settingsOn(document, latest.current.settings, latest.current.values))
    document.addEventListener('click', (event) => {
      // The frame has a realm of its own, so that its elements are no `Element` of this one.
      const target = event.target as Element | null
      const current = latest.current
      if (!current || !target || typeof target.closest !== 'function') return
      event.preventDefault()
      const key = settingAt(elementPath(target), current.settings, current.values)
      setIsNothing(key === null)
      if (key !== null) current.onPick(key)
    })
  }, [])
  const packages = useQuery(queries.catalogue.packages.queryOptions({ input: {}, meta: { handled: true } })).data?.class_packages
  const [sold] = packages ?? []
  const pages = [
    { value: paths.home, label: 'Portada' },
    { value: paths.schedule, label: 'Calendario' },
    { value: packagesPath, label: 'Paquetes' },
    ...(sold ? [{ value: paths.checkout(sold.class_package_id), label: 'Checkout' }] : []),
    { value: paths.login, label: 'Entrar' },
    { value: PREVIEWED_MAIL, label: 'Correo' },
  ]
  const shown = pages.find((page) => page.value === path) ?? pages[0]
  const pairs = JSON.parse(useDelayed(JSON.stringify(changes.map(({ key, value }) => ({ key, value }))), PAUSE_MS)) as Pick<
    (typeof changes)[number],
    'key' | 'value'
  >[]
  const query = useQuery({
    queryKey: [...queries.content.previewSettings.key(), pairs],
    queryFn: () => api.content.previewSettings({ settings: pairs }),
    staleTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    retry: false,
    meta: { handled: true },
    placeholderData: keepPreviousData,
  })
  const isRefused = query.isError && toFailure(query.error).code === 'INVALID_INPUT'
  return (
    <section className="preview" aria-label="Vista previa">
      <div className="preview-tools">
        <Segmented
          label="Dispositivo"
          options={[
            { value: 'phone', label: <DeviceLabel Icon={IconDeviceMobile} text="Teléfono" /> },
            { value: 'desk', label: <DeviceLabel Icon={IconDeviceDesktop} text="Computadora" /> },
          ]}
          value={device}
          onChange={setDevice}
        />
        <Segmented label="Página" options={pages} value={shown?.value ?? paths.home} onChange={setPath} />
      </div>
      {isRefused && (
        <p className="small muted" role="status">
          Corrige los campos marcados para ver cómo queda.
        </p>
      )}
      {query.isError && !isRefused && <PartNotLoaded query={query}>No pudimos mostrar la vista previa.</PartNotLoaded>}
      {query.data && shown ? (
        <Frame
          device={device}
          title={`Vista previa: ${shown.label}`}
          src={`${shown.value}?${PREVIEW_KEY}=${query.data.token}`}
          onPage={watchPage}
        />
      ) : (
        !query.isError && <Skeleton height="480px" />
      )}
      {pick && found.length > 0 && (
        <Select label="Ajustes que se ven en esta página" value="" onChange={(event) => pick.onPick(event.currentTarget.value)}>
          <option value="" disabled>
            Ir a uno
          </option>
          {found.map((key) => (
            <option key={key} value={key}>
              {pick.settings.find((setting) => setting.key === key)?.label ?? key}
            </option>
          ))}
        </Select>
      )}
      <p className="small muted" role="status">
        {isNothing && 'Eso no sale de un ajuste. '}
      </p>
      <p className="small muted">
        Solo tú ves estos cambios hasta que los guardes. Aquí los botones no hacen nada
        {pick ? ': un clic te lleva al ajuste de lo que tocas.' : '.'}
      </p>
    </section>
  )
}

function DeviceLabel({ Icon, text }: { Icon: typeof IconDeviceMobile; text: string }) {
  return (
    <>
      <Icon className="icon" aria-hidden="true" />
      <span className="sr-only">{text}</span>
    </>
  )
}

/**
 * The page at the width of its device, scaled to the room that there is. A new version of a page opens where the last one was scrolled to.
 */
interface FrameProps {
  device: Device
  title: string
  src: string
  /** called with each page that was loaded */
  onPage: (page: Document) => void
}

function Frame({ device, title, src, onPage }: FrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const scrolled = useRef({ title, top: 0 })
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const observed = box.current
    if (!observed) return
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0))
    observer.observe(observed)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: before each new address the position of the shown page is stored
  useEffect(() => {
    const page = frame.current
    return () => {
      scrolled.current = { title, top: page?.contentWindow?.scrollY ?? 0 }
    }
  }, [src])
  const { width, height } = DEVICES[device]
  const scale = room > 0 ? Math.min(1, room / width) : 0
  return (
    <div ref={box} className={`preview-box preview-${device}`} style={{ height: height * scale || undefined }}>
      {scale > 0 && (
        <iframe
          ref={frame}
          title={title}
          src={src}
          sandbox="allow-same-origin"
          style={{ width, height, transform: `scale(${scale})` }}
          onLoad={() => {
            if (scrolled.current.title === title) frame.current?.contentWindow?.scrollTo(0, scrolled.current.top)
            if (frame.current?.contentDocument) onPage(frame.current.contentDocument)
          }}
        />
      )}
    </div>
  )
}
