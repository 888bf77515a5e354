import { api } from '#server/modules/api.ts'
import {
  classCategories,
  classTypes,
  instructors,
  locations,
  oneClassCategory,
  oneInstructor,
  onePackage,
  onePaymentMethod,
  oneTag,
  packages,
  paymentMethods,
  tags,
} from './catalogue.ts'
import { allDiscounts, changeDiscount, createDiscount, createSeries, oneDiscount, removeDiscount, switchSeries } from './discounts.ts'
import { classCategoryList, paymentMethodList, tagList } from './lists.ts'
import { changePackage, createPackage, everyPackage, orderPackages, restorePackage, setHome } from './packages.ts'
import { allProducts, changeProduct, correctStock, createProduct } from './products.ts'

const on = api.catalogue

export const catalogueRoutes = {
  packages: on.packages.handler(({ context }) => packages(context.ctx)),
  package: on.package.handler(({ context, input }) => onePackage(context.ctx, input)),
  presencialesAll: on.presencialesAll.handler(({ context }) => packages(context.ctx, 'presenciales')),
  presencialesHome: on.presencialesHome.handler(({ context }) => packages(context.ctx, 'presenciales', 'home')),
  onlineAll: on.onlineAll.handler(({ context }) => packages(context.ctx, 'online')),
  onlineHome: on.onlineHome.handler(({ context }) => packages(context.ctx, 'online', 'home')),
  especialesAll: on.especialesAll.handler(({ context }) => packages(context.ctx, 'especiales')),
  especialesHome: on.especialesHome.handler(({ context }) => packages(context.ctx, 'especiales', 'home')),
  locations: on.locations.handler(({ context }) => locations(context.ctx)),
  classTypes: on.classTypes.handler(({ context }) => classTypes(context.ctx)),
  instructors: on.instructors.handler(({ context }) => instructors(context.ctx)),
  instructorsHome: on.instructorsHome.handler(({ context }) => instructors(context.ctx, { home: true })),
  instructor: on.instructor.handler(({ context, input }) => oneInstructor(context.ctx, input)),
  classCategories: on.classCategories.handler(({ context }) => classCategories(context.ctx)),
  classCategoriesAvailable: on.classCategoriesAvailable.handler(({ context }) => classCategories(context.ctx, { available: true })),
  classCategory: on.classCategory.handler(({ context, input }) => oneClassCategory(context.ctx, input)),
  tags: on.tags.handler(({ context, input }) => tags(context.ctx, input)),
  tag: on.tag.handler(({ context, input }) => oneTag(context.ctx, input)),
  paymentMethods: on.paymentMethods.handler(({ context }) => paymentMethods(context.ctx)),
  paymentMethod: on.paymentMethod.handler(({ context, input }) => onePaymentMethod(context.ctx, input)),
}

/** Removing a package is registered in schedule/taught-routes.ts, its buyers in sales/routes.ts. */
export const packageRoutes = {
  all: api.studioPackages.all.handler(({ context, input }) => everyPackage(context.ctx, input)),
  create: api.studioPackages.create.handler(({ context, input }) => createPackage(context.ctx, input)),
  update: api.studioPackages.update.handler(({ context, input }) => changePackage(context.ctx, input)),
  restore: api.studioPackages.restore.handler(({ context, input }) => restorePackage(context.ctx, input)),
  order: api.studioPackages.order.handler(({ context, input }) => orderPackages(context.ctx, input)),
  addToHome: api.studioPackages.addToHome.handler(({ context, input }) => setHome(context.ctx, input, true)),
  removeFromHome: api.studioPackages.removeFromHome.handler(({ context, input }) => setHome(context.ctx, input, false)),
}

export const productRoutes = {
  list: api.products.list.handler(({ context, input }) => allProducts(context.ctx, input)),
  create: api.products.create.handler(({ context, input }) => createProduct(context.ctx, input)),
  correct: api.products.correct.handler(({ context, input }) => correctStock(context.ctx, input)),
  update: api.products.update.handler(({ context, input }) => changeProduct(context.ctx, input)),
}

/** The price with a discount code is registered in sales/routes.ts, which knows its uses. */
export const discountRoutes = {
  one: api.discounts.one.handler(({ context, input }) => oneDiscount(context.ctx, input)),
  all: api.discounts.all.handler(({ context, input }) => allDiscounts(context.ctx, input)),
  create: api.discounts.create.handler(({ context, input }) => createDiscount(context.ctx, input)),
  createSeries: api.discounts.createSeries.handler(({ context, input }) => createSeries(context.ctx, input)),
  switchSeries: api.discounts.switchSeries.handler(({ context, input }) => switchSeries(context.ctx, input)),
  update: api.discounts.update.handler(({ context, input }) => changeDiscount(context.ctx, input)),
  remove: api.discounts.remove.handler(({ context, input }) => removeDiscount(context.ctx, input)),
}

/** Locations, class types and instructors are registered in schedule/taught-routes.ts: removing one requires reading the calendar. */
export const catalogueLists = {
  classCategories: {
    all: on.admin.classCategories.all.handler(async ({ context }) => ({ class_categories: await classCategoryList.all(context.ctx) })),
    create: on.admin.classCategories.create.handler(async ({ context, input }) => ({
      class_category: await classCategoryList.save(context.ctx, input),
    })),
    update: on.admin.classCategories.update.handler(async ({ context, input }) => ({
      class_category: await classCategoryList.change(context.ctx, input),
    })),
    remove: on.admin.classCategories.remove.handler(({ context, input }) => classCategoryList.remove(context.ctx, input.class_category_id)),
  },
  tags: {
    all: on.admin.tags.all.handler(async ({ context }) => ({ tags: await tagList.all(context.ctx) })),
    create: on.admin.tags.create.handler(async ({ context, input }) => ({ tag: await tagList.save(context.ctx, input) })),
    update: on.admin.tags.update.handler(async ({ context, input }) => ({ tag: await tagList.change(context.ctx, input) })),
    remove: on.admin.tags.remove.handler(({ context, input }) => tagList.remove(context.ctx, input.tag_id)),
  },
  paymentMethods: {
    all: on.admin.paymentMethods.all.handler(async ({ context }) => ({ payment_methods: await paymentMethodList.all(context.ctx) })),
    create: on.admin.paymentMethods.create.handler(async ({ context, input }) => ({
      payment_method: await paymentMethodList.save(context.ctx, input),
    })),
    update: on.admin.paymentMethods.update.handler(async ({ context, input }) => ({
      payment_method: await paymentMethodList.change(context.ctx, input),
    })),
    remove: on.admin.paymentMethods.remove.handler(({ context, input }) => paymentMethodList.remove(context.ctx, input.payment_method_id)),
  },
}

/** The order and uses of categories and tags. */
export const catalogueArranged = {
  classCategories: {
    order: on.admin.arranged.classCategories.order.handler(({ context, input }) => classCategoryList.order(context.ctx, input.ids)),
    uses: on.admin.arranged.classCategories.uses.handler(({ context, input }) =>
      classCategoryList.uses(context.ctx, input.class_category_id),
    ),
  },
  tags: {
    order: on.admin.arranged.tags.order.handler(({ context, input }) => tagList.order(context.ctx, input.ids)),
    uses: on.admin.arranged.tags.uses.handler(({ context, input }) => tagList.uses(context.ctx, input.tag_id)),
  },
}
