import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportView } from '#contract/imports.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { ImportGuide } from './import-guide.tsx'
import { FILE_TITLE, KIND_HELP } from './import-text.ts'
import './import-guide.css'

/** Archivo: the file is read at once; an unreadable file shows the reason. Beside it: how the file is taken out of the other system. */
export function FileStep({ view, onDone }: { view: ImportView; onDone: (view: ImportView) => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [more, setMore] = useState<readonly File[]>([])
  const read = useMutation({
    meta: { handled: true },
    mutationFn: (chosen: File) =>
      api.imports.file({ import_id: view.import_id, file: chosen, ...(more.length > 0 ? { more: [...more] } : {}) }),
    onSuccess: onDone,
  })
  return (
    <div className="import-file">
      <section className="panel-card import-card" aria-labelledby="import-file">
        <h2 id="import-file" className="t3">
          {FILE_TITLE[view.kind]}
        </h2>
        <p>{KIND_HELP[view.kind]}</p>
        {read.isError && (
          <Banner tone="danger" live>
            {toFailure(read.error).message}
          </Banner>
        )}
        <FileField
          label="Archivo"
          hint="CSV o Excel (.xlsx), hasta 10 MB. Si tus datos vienen en varios archivos, elígelos juntos."
          name="file"
          accept=".csv,.tsv,.txt,.xlsx"
          chosen={file}
          onChoose={setFile}
          more={{ chosen: more, onChoose: setMore }}
          current={view.file_name === null ? null : { name: view.file_name, thumbnail: null }}
        />
        <Button loading={read.isPending} reason={file ? null : 'Elige un archivo.'} onClick={() => file && read.mutate(file)}>
          {more.length > 0 ? 'Leer archivos' : 'Leer archivo'}
        </Button>
        <p className="small muted">Todavía no se escribe nada ni se avisa a nadie.</p>
      </section>
      <ImportGuide view={view} />
    </div>
  )
}
