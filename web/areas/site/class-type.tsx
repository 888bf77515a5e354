import './content.css'
import './landing-sections.css'
import { redirect } from 'react-router'
import { paths } from '#contract/paths.ts'
import { Art, slugOfName } from '#web/features/site/art.tsx'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { fileUrl, useSite } from '#web/lib/settings.tsx'
import { Intensity } from '#web/ui/marks.tsx'
import { Surface } from '#web/ui/section.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/class-type.ts'
import { loadNextClasses } from './next-classes.server.ts'
import { NextClasses } from './next-classes.tsx'

export async function loader({ context, params }: Route.LoaderArgs) {
  const rendered = context.get(rendering)
  rendered.dependsOn('catalogue')
  const { class_types } = await rendered.client.catalogue.classTypes()
  const type = class_types.find(({ class_type_id }) => String(class_type_id) === params.class_type_id)
  if (!type) throw redirect(paths.home)
  return { type, classes: await loadNextClasses(rendered, { class_type_id: type.class_type_id }) }
}

/** /class_type/{class_type_id}: the description of the class type and its next classes (S1-2.19). */
export default function ClassTypePage({ loaderData: { type, classes } }: Route.ComponentProps) {
  return (
    <div className="wrap plain-page">
      <PageMeta title={type.name} description={type.description} path={paths.classType(type.class_type_id)} image={type.image?.src} />
      <div className="person">
        <SectionBoundary key={type.class_type_id}>
          <Picture type={type} />
        </SectionBoundary>
        <div className="person-text">
          <h1 className="t1">{type.name}</h1>
          {type.description && <p className="lead">{type.description}</p>}
          <p className="row gap-16">
            <span>{type.duration_minutes} min</span>
            {type.intensity !== null && (
              <span className="row gap-8">
                <span aria-hidden="true">Intensidad</span> <Intensity value={type.intensity} />
              </span>
            )}
          </p>
        </div>
      </div>
      {classes && (
        <SectionBoundary key={`${type.class_type_id} classes`}>
          <NextClasses title="Próximas clases" classes={classes} />
        </SectionBoundary>
      )}
    </div>
  )
}

function Picture({ type: { class_type_id, name, image } }: { type: Route.ComponentProps['loaderData']['type'] }) {
  const site = useSite()
  return (
    <Surface ground="soft" className="about-picture">
      {image ? (
        <img src={fileUrl(site, image.src)} alt="" width={480} height={500} />
      ) : (
        <Art kind="clase" seed={`${slugOfName(name)}-${class_type_id}`} ground="soft" fills width={480} height={500} eager />
      )}
    </Surface>
  )
}
