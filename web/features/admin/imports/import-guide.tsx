import { IconChevronDown, IconChevronRight, IconMenu2, IconPointerFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type ImportView, importSources } from '#contract/imports.ts'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { type GuidePicture, guideParts, importGuide, SUPPORT_REQUEST } from './import-guides.ts'

/** How the file is taken out of the other system, step by step, with drawings. */
export function ImportGuide({ view }: { view: Pick<ImportView, 'source' | 'kind'> }) {
  const guide = importGuide(view.source, view.kind, importSources[view.source])
  const isForeign = view.source !== 'other' && view.source !== 'estudio'
  return (
    <section className="panel-card import-guide" aria-labelledby="import-guide">
      <h2 id="import-guide" className="t3">
        {guide.title}
      </h2>
      <ol className="guide-steps">
        {guide.steps.map(({ text, picture }, at) => (
          <li key={text}>
            <p>
              <span className="guide-number" aria-hidden="true">
                {at + 1}
              </span>
              <span>
                <Marked>{text}</Marked>
              </span>
            </p>
            <Picture picture={picture} />
          </li>
        ))}
      </ol>
      <ul className="guide-notes">
        {guide.notes.map((note) => (
          <li key={note} className="small">
            <Marked>{note}</Marked>
          </li>
        ))}
      </ul>
      {isForeign && (
        <div className="guide-support">
          <p className="strong">¿No ves cómo exportar?</p>
          <p className="small">Tus datos son tuyos. Escribe al soporte de {importSources[view.source]}:</p>
          <blockquote className="small">{SUPPORT_REQUEST}</blockquote>
          <CopyButton text={SUPPORT_REQUEST} what="la petición" />
        </div>
      )}
    </section>
  )
}

/** A text whose names of buttons stand out; translators of browsers leave them alone. */
function Marked({ children }: { children: string }) {
  return guideParts(children).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text never move.
      <b key={at} translate="no">
        {part}
      </b>
    ),
  )
}

/** A drawing of a screen: what it shows is in the step's text. */
function Picture({ picture }: { picture: GuidePicture }) {
  return (
    <div className="guide-picture" aria-hidden="true" translate="no">
      {picture.kind === 'menu' ? <Menu {...picture} /> : picture.kind === 'list' ? <List {...picture} /> : <Sheet {...picture} />}
    </div>
  )
}

const Pointer = () => <IconPointerFilled className="guide-pointer" />

const Item = ({ chosen, last, children }: { chosen: boolean; last: boolean; children: ReactNode }) => (
  <span className={chosen ? 'guide-item guide-chosen' : 'guide-item'}>
    {children}
    {chosen && last && <Pointer />}
  </span>
)

function Menu({ items, chosen, submenu, chosenBelow }: Extract<GuidePicture, { kind: 'menu' }>) {
  return (
    <div className="guide-window guide-menu">
      <div className="guide-bar">
        <IconMenu2 className="icon" />
      </div>
      <div className="guide-side">
        {items.map((item) => (
          <Item key={item} chosen={item === chosen} last={!submenu}>
            {item}
            {item === chosen && submenu && <IconChevronRight className="icon" />}
          </Item>
        ))}
      </div>
      <div className="guide-page">
        {submenu ? (
          submenu.map((item) => (
            <Item key={item} chosen={item === chosenBelow} last>
              {item}
            </Item>
          ))
        ) : (
          <Blanks rows={4} />
        )}
      </div>
    </div>
  )
}

function List({ title, button, options, chosen }: Extract<GuidePicture, { kind: 'list' }>) {
  return (
    <div className="guide-window guide-list">
      <div className="guide-head">
        <span className="strong">{title}</span>
        <span className="guide-button">
          {button} <IconChevronDown className="icon" />
        </span>
      </div>
      <div className="guide-body">
        <div className="guide-rows">
          <Blanks rows={4} />
        </div>
        {options && (
          <div className="guide-options">
            {options.map((option) => (
              <Item key={option} chosen={option === chosen} last>
                {option}
              </Item>
            ))}
          </div>
        )}
      </div>
    </div>
  )
}

const WIDTHS = ['72%', '54%', '83%', '61%']
const Blanks = ({ rows }: { rows: number }) =>
  WIDTHS.slice(0, rows).map((width) => (
    <span key={width} className="guide-blank">
      <i />
      <i style={{ width }} />
    </span>
  ))

function Sheet({ headers, rows }: Extract<GuidePicture, { kind: 'sheet' }>) {
  return (
    <div className="guide-sheet">
      <table>
        <thead>
          <tr>
            {headers.map((header) => (
              <th key={header}>{header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell, at) => (
                <td key={headers[at]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
