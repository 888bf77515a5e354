import { IconLock, IconPlayerPlayFilled } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { paths } from '#contract/paths.ts'
import { artUrl } from '#web/features/site/art.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCaptions } from './use-captions.ts'
import { type OnlineOffer, useOnlineOffer } from './use-online-offer.ts'
import './video-locked.css'

/** Seconds of a preview: the server sends about as much of the film. */
const PREVIEW_SECONDS = 15

/** Above the list, without an active online membership (S2-2.67, S2-2.68, S2-8.03): the sentence, what it costs and one tap to buy. */
export function VideosLocked({ offer }: { offer: OnlineOffer | null }) {
  return (
    <div className="card video-locked video-locked-wide">
      <IconLock className="icon" aria-hidden="true" />
      <p>{accountErrors.VIDEO_NEEDS_PURCHASE.message}</p>
      <Offer offer={offer} size="small" />
    </div>
  )
}

interface LockedFrameProps {
  /** the image of the video; null: a drawing */
  thumbnail: string | null
  /** the seed of the drawing */
  drawn: string
  /** the link of its first seconds */
  preview: string | null
  /** the captions of those seconds */
  captions: string | null
}

/** In place of the player: the picture under a lock, its first seconds where the film has them, and what it costs. */
export function LockedFrame({ thumbnail, drawn, preview, captions: text }: LockedFrameProps) {
  const site = useSite()
  const { offer, coming } = useOnlineOffer(true)
  const captions = useCaptions(text)
  const [state, setState] = useState<'locked' | 'playing' | 'seen' | 'failed'>('locked')
  const again = useRef<HTMLButtonElement>(null)
  // The focused film is gone: the focus moves to the button.
  useEffect(() => {
    if (state === 'seen') again.current?.focus()
  }, [state])
  return (
    <div className="card video-locked-frame">
      <div className={`locked-picture ground-stage ${thumbnail ? '' : 'locked-drawn'}`}>
        {state === 'playing' && preview ? (
          // biome-ignore lint/a11y/useMediaCaption: a track is below where the studio uploaded captions
          <video
            src={fileUrl(site, preview)}
            aria-label="Muestra del video"
            autoPlay
            playsInline
            controls
            controlsList="nodownload nofullscreen noremoteplayback"
            disablePictureInPicture
            onTimeUpdate={({ currentTarget }) => currentTarget.currentTime >= PREVIEW_SECONDS && setState('seen')}
            onEnded={() => setState('seen')}
            onError={() => setState('failed')}
          >
            {captions && <track kind="captions" src={captions} srcLang="es" label="Subtítulos" />}
          </video>
        ) : (
          <>
            <img
              src={thumbnail ? fileUrl(site, thumbnail) : artUrl(site, { kind: 'clase', seed: drawn, ground: 'stage', floorless: true })}
              alt=""
              width={960}
              height={540}
              decoding="async"
            />
            <span className="locked-mark">
              <IconLock className="icon" aria-hidden="true" />
            </span>
            {preview && state !== 'failed' && (
              <button ref={again} type="button" className="locked-preview" onClick={() => setState('playing')}>
                <IconPlayerPlayFilled className="icon" aria-hidden="true" />
                {state === 'seen' ? 'Ver la muestra otra vez' : 'Ver una muestra'}
              </button>
            )}
          </>
        )}
      </div>
      <div className="locked-offer">
        <p>{accountErrors.VIDEO_NEEDS_PURCHASE.message}</p>
        <Offer offer={offer} coming={coming} size="normal" />
      </div>
    </div>
  )
}

/** One tap to buy, and all packages beside it. */
function Offer({ offer, coming = false, size }: { offer: OnlineOffer | null; coming?: boolean; size: 'normal' | 'small' }) {
  const site = useSite()
  return (
    <div className="locked-actions">
      {coming && <Skeleton width="18rem" height="48px" />}
      {offer && (
        <Button as={AppLink} size={size} to={paths.checkout(offer.class_package_id)}>
          {offer.free ? `Obtener ${offer.title}` : `Comprar ${offer.title} por ${offer.price}`}
        </Button>
      )}
      <Button as={AppLink} size={size} variant={offer || coming ? 'outline' : 'filled'} to={paths.mystudio.onlinePackages(site)}>
        Ver Paquetes
      </Button>
    </div>
  )
}
