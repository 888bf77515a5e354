import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ExportFormat } from '#contract/list-exports.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

const NAMES: Readonly<Record<ExportFormat, string>> = { csv: 'CSV', xlsx: 'Excel' }

interface ExportMenuProps {
  load: (format: ExportFormat) => Promise<File>
  /** what each format is good for, where the two differ */
  names?: Readonly<Record<ExportFormat, string>>
}

/** Downloads all rows of a list with its filters, as CSV or for Excel. `load` requests the file. */
export function ExportMenu({ load, names = NAMES }: ExportMenuProps) {
  const exporting = useMutation({
    meta: { handled: true },
    mutationFn: load,
    onSuccess: saveFile,
    onError: (error) => showAlert('alert', toFailure(error).message),
  })
  return (
    <Menu
      label={exporting.isPending ? 'Exportando' : 'Exportar'}
      buttonClass="chip"
      button={
        <>
          <IconDownload className="icon" aria-hidden="true" /> {exporting.isPending ? 'Exportando' : 'Exportar'}
        </>
      }
    >
      <MenuItem onClick={() => exporting.mutate('csv')}>{names.csv}</MenuItem>
      <MenuItem onClick={() => exporting.mutate('xlsx')}>{names.xlsx}</MenuItem>
    </Menu>
  )
}
