import { IconLock } from '@tabler/icons-react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { paths } from '#contract/paths.ts'
import { Art } from '#web/features/site/art.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import './video-locked.css'

/**
 * Shown without an active online membership (S2-2.67, S2-2.68, S2-8.03): the sentence and a link to the shop. `frame`: in place of the
 * player, with the seed of its drawing.
 */
export function VideosLocked({ frame }: { frame?: { drawn: string } }) {
  const site = useSite()
  return (
    <div className={`card video-locked ${frame ? 'video-locked-frame' : 'video-locked-wide'}`}>
      <IconLock className="icon" aria-hidden="true" />
      <p>{accountErrors.VIDEO_NEEDS_PURCHASE.message}</p>
      <Button as={AppLink} size={frame ? 'normal' : 'small'} to={paths.mystudio.onlinePackages(site)}>
        Ver Paquetes
      </Button>
      {frame && <Art kind="clase" seed={frame.drawn} ground="paper" width={480} height={330} className="only-wide" />}
    </div>
  )
}
