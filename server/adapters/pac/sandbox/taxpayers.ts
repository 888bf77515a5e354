/** The SAT's published test taxpayers, with the postal code and regimes that the sandbox's registry has for them. */
import type { TestTaxpayer } from '#server/adapters/pac/port.ts'

export const TEST_TAXPAYERS: readonly TestTaxpayer[] = [
  { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', postalCode: '42501', regimes: ['601', '603'] },
  { rfc: 'XIA190128J61', name: 'XENON INDUSTRIAL ARTICLES', postalCode: '76343', regimes: ['601'] },
  { rfc: 'IIA040805DZ4', name: 'INDISTRIA ILUMINADORA DE ALMACENES', postalCode: '62661', regimes: ['626'] },
  { rfc: 'URE180429TM6', name: 'UNIVERSIDAD ROBOTICA ESPAÑOLA', postalCode: '86991', regimes: ['601'] },
  { rfc: 'FUNK671228PH6', name: 'KARLA FUENTE NOLASCO', postalCode: '01160', regimes: ['605', '612', '616'] },
  { rfc: 'CACX7605101P8', name: 'XOCHILT CASAS CHAVEZ', postalCode: '36257', regimes: ['605', '606', '612'] },
  { rfc: 'MISC491214B86', name: 'CECILIA MIRANDA SANCHEZ', postalCode: '01010', regimes: ['612', '625', '626'] },
]
