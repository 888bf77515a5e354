/** `/iconos/…png`: the studio's icons for home screens and the installed app, in the current brand. */
import type { FastifyInstance } from 'fastify'
import { tokens } from '#contract/color.ts'
import { refuse } from '#contract/errors.ts'
import { ICONS_PATH } from '#contract/file-address.ts'
import type { IconShape } from '#contract/rendering.ts'
import { drawnIcon, pictureIcon } from '#server/adapters/files/icons.ts'
import { Ctx, type Studio } from '#server/modules/ctx.ts'
import { brandIcon } from './art/brand-icon.ts'
import { publicPicture } from './pictures.ts'

interface Icon {
  size: number
  shape: IconShape
}

const ICONS: Readonly<Record<string, Icon>> = {
  '180.png': { size: 180, shape: 'home' },
  '192.png': { size: 192, shape: 'tab' },
  '512.png': { size: 512, shape: 'tab' },
  'recorte-512.png': { size: 512, shape: 'cut' },
}

/** Serves the icons. Each is drawn once and cached until a setting changes. */
export function registerIcons(app: FastifyInstance, studio: Studio): void {
  const cached = new Map<string, Promise<Uint8Array>>()
  const quiet = studio.onSettings(() => cached.clear())
  app.addHook('onClose', async () => quiet())
  app.get<{ Params: { file: string } }>(`${ICONS_PATH}/:file`, async (req, reply) => {
    const { file } = req.params
    const icon = Object.hasOwn(ICONS, file) ? ICONS[file] : undefined
    if (!icon) throw refuse('NOT_FOUND')
    let promise = cached.get(file)
    if (!promise) {
      promise = studioIcon(new Ctx(studio, { actor: { kind: 'visitor' }, requestId: req.id, ip: req.ip }), icon)
      cached.set(file, promise)
      promise.catch(() => cached.delete(file))
    }
    // Clients revalidate after a day; the manifest's URLs contain the version of the brand.
    return reply
      .headers({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff', 'cache-control': 'public, max-age=86400' })
      .send(await promise)
  })
}

/** The studio's icon as PNG: its own picture, or its initial. */
export async function studioIcon(ctx: Ctx, { size, shape }: Icon): Promise<Uint8Array> {
  const { favicon } = ctx.settings
  const own = await publicPicture(ctx, favicon)
  return (own && (await pictureIcon(own, size, shape, tokens(ctx.settings).paper))) ?? drawnIcon(brandIcon(ctx.settings, shape), size)
}
