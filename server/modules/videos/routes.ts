import { api } from '#server/modules/api.ts'
import { programList, videoTypeList } from './lists.ts'
import { orderProgram, programVideos } from './program-order.ts'
import { changeVideo, removeVideo, saveVideo, studioVideo, studioVideos, videoRatings } from './studio-videos.ts'
import {
  addFavorite,
  completeVideo,
  favorites,
  mailRatingLink,
  oneProgram,
  oneVideo,
  playVideo,
  programs,
  rateVideo,
  removeFavorite,
  saveProgress,
  uncompleteVideo,
  unfinishedVideos,
  upcomingVideos,
  videos,
  videosOfProgram,
  videosOfTag,
  videoTypes,
} from './videos.ts'

const on = api.videos

export const videoRoutes = {
  list: on.list.handler(({ context, input }) => videos(context.ctx, input)),
  upcoming: on.upcoming.handler(({ context, input }) => upcomingVideos(context.ctx, input)),
  unfinished: on.unfinished.handler(({ context }) => unfinishedVideos(context.ctx)),
  ofTag: on.ofTag.handler(({ context, input }) => videosOfTag(context.ctx, input)),
  ofProgram: on.ofProgram.handler(({ context, input }) => videosOfProgram(context.ctx, input)),
  one: on.one.handler(({ context, input }) => oneVideo(context.ctx, input)),
  play: on.play.handler(({ context, input }) => playVideo(context.ctx, input)),
  progress: on.progress.handler(({ context, input }) => saveProgress(context.ctx, input)),
  complete: on.complete.handler(({ context, input }) => completeVideo(context.ctx, input)),
  uncomplete: on.uncomplete.handler(({ context, input }) => uncompleteVideo(context.ctx, input)),
  rate: on.rate.handler(({ context, input }) => rateVideo(context.ctx, input)),
  rateByMail: on.rateByMail.handler(({ context, input }) => mailRatingLink(context.ctx, input)),
  favorites: on.favorites.handler(({ context }) => favorites(context.ctx)),
  addFavorite: on.addFavorite.handler(({ context, input }) => addFavorite(context.ctx, input)),
  removeFavorite: on.removeFavorite.handler(({ context, input }) => removeFavorite(context.ctx, input)),
  types: on.types.handler(({ context }) => videoTypes(context.ctx)),
  programs: on.programs.handler(({ context }) => programs(context.ctx)),
  program: on.program.handler(({ context, input }) => oneProgram(context.ctx, input)),
  admin: {
    videos: {
      all: on.admin.videos.all.handler(({ context, input }) => studioVideos(context.ctx, input)),
      one: on.admin.videos.one.handler(({ context, input }) => studioVideo(context.ctx, input)),
      ratings: on.admin.videos.ratings.handler(({ context, input }) => videoRatings(context.ctx, input)),
      create: on.admin.videos.create.handler(({ context, input }) => saveVideo(context.ctx, input)),
      update: on.admin.videos.update.handler(({ context, input }) => changeVideo(context.ctx, input)),
      remove: on.admin.videos.remove.handler(({ context, input }) => removeVideo(context.ctx, input)),
    },
    videoTypes: {
      all: on.admin.videoTypes.all.handler(async ({ context }) => ({ video_types: await videoTypeList.all(context.ctx) })),
      create: on.admin.videoTypes.create.handler(async ({ context, input }) => ({
        video_type: await videoTypeList.save(context.ctx, input),
      })),
      update: on.admin.videoTypes.update.handler(async ({ context, input }) => ({
        video_type: await videoTypeList.change(context.ctx, input),
      })),
      remove: on.admin.videoTypes.remove.handler(({ context, input }) => videoTypeList.remove(context.ctx, input.video_type_id)),
    },
    programs: {
      all: on.admin.programs.all.handler(async ({ context }) => ({ programs: await programList.all(context.ctx) })),
      create: on.admin.programs.create.handler(async ({ context, input }) => ({ program: await programList.save(context.ctx, input) })),
      update: on.admin.programs.update.handler(async ({ context, input }) => ({ program: await programList.change(context.ctx, input) })),
      remove: on.admin.programs.remove.handler(({ context, input }) => programList.remove(context.ctx, input.program_id)),
    },
    programVideos: on.admin.programVideos.handler(({ context, input }) => programVideos(context.ctx, input)),
    orderProgram: on.admin.orderProgram.handler(({ context, input }) => orderProgram(context.ctx, input)),
  },
}
